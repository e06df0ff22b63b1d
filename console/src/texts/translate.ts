// The language of the console. Its sources have the English texts; the build wraps each of them in `translate` (node/find-texts.ts), so that
// screens are written as if there were one language. Another language is one file of translations, loaded before anything is drawn, and
// only by browsers that need it.

import { textKey } from './text-key.ts'

export const languages = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
] as const
export type Language = (typeof languages)[number]['value']

const storageKey = 'bailiwick-console-language'

const findLanguage = (tag: string) => languages.find(({ value }) => tag === value || tag.startsWith(`${value}-`))?.value

function readLanguage(): Language {
  // Outside of a browser, in tests and scripts, the texts are as they are written.
  if (typeof document === 'undefined') return 'en'
  const wanted = [localStorage.getItem(storageKey) ?? '', ...navigator.languages]
  for (const tag of wanted) {
    const found = findLanguage(tag)
    if (found !== undefined) return found
  }
  return 'en'
}

export const language = readLanguage()

/** For dates and numbers: the browser's own form of the language, if it has one. */
export const locale: string | undefined =
  typeof document === 'undefined'
    ? undefined
    : (navigator.languages.find((tag) => findLanguage(tag) === language) ?? language)

/** Uses another language from now on, which needs a page of its own. */
export function chooseLanguage(chosen: Language) {
  localStorage.setItem(storageKey, chosen)
  location.reload()
}

type Translations = Readonly<Record<string, string>>

async function loadTranslations(): Promise<Translations> {
  if (typeof document !== 'undefined') document.documentElement.lang = language
  if (language === 'en') return {}
  // Without the file the texts are English.
  return Promise.all([import('virtual:texts-de/0'), import('virtual:texts-de/1')]).then(
    (parts) => Object.assign({}, ...parts.map((part) => part.translations)) as Translations,
    () => ({}),
  )
}

const translations = await loadTranslations()

/** @returns the text in the language of the console, with `{0}` and so on replaced by the values; English where it has no translation. */
export function translate(text: string, ...values: readonly unknown[]): string {
  const found = translations[textKey(text)] ?? text
  return values.length === 0
    ? found
    : found.replaceAll(/\{(\d)\}/g, (_match, index: string) => String(values[Number(index)]))
}
