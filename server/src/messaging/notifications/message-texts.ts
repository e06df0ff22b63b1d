// The languages of messages. To add one, add a file in texts/ and a line here. A language's texts are loaded when they are first needed.
import { type Language, languages, matchLanguage } from '@bailiwick/contract'
import { type MessageTexts, en } from './texts/en.ts'

interface Written {
  readonly texts: MessageTexts
}

const written: Readonly<Record<Language, () => Promise<Written>>> = {
  ar: () => import('./texts/ar.ts'),
  cs: () => import('./texts/cs.ts'),
  da: () => import('./texts/da.ts'),
  de: () => import('./texts/de.ts'),
  el: () => import('./texts/el.ts'),
  en: async () => ({ texts: en }),
  es: () => import('./texts/es.ts'),
  fi: () => import('./texts/fi.ts'),
  fr: () => import('./texts/fr.ts'),
  he: () => import('./texts/he.ts'),
  hi: () => import('./texts/hi.ts'),
  hu: () => import('./texts/hu.ts'),
  it: () => import('./texts/it.ts'),
  ja: () => import('./texts/ja.ts'),
  ko: () => import('./texts/ko.ts'),
  nb: () => import('./texts/nb.ts'),
  nl: () => import('./texts/nl.ts'),
  pl: () => import('./texts/pl.ts'),
  'pt-BR': () => import('./texts/pt-BR.ts'),
  ro: () => import('./texts/ro.ts'),
  sv: () => import('./texts/sv.ts'),
  tr: () => import('./texts/tr.ts'),
  uk: () => import('./texts/uk.ts'),
  'zh-Hans': () => import('./texts/zh-Hans.ts'),
}

/** Returns the texts of messages in a language. */
export const textsIn = async (language: Language): Promise<MessageTexts> => (await written[language]()).texts

/** Returns the language of messages to a reader: the reader's own if the tenant offers it, otherwise the tenant's default. */
export function languageFor(
  wanted: string | undefined,
  {
    languages: offered,
    defaultLanguage,
  }: { readonly languages: readonly Language[]; readonly defaultLanguage: Language },
): Language {
  const found = wanted === undefined ? undefined : matchLanguage(wanted, offered.length === 0 ? languages : offered)
  return found ?? defaultLanguage
}

const minutesOf = { day: 24 * 60, hour: 60, minute: 1 } as const

/** Returns a number of minutes in words: "10 minutes", "7 days". */
export function durationText(minutes: number, language: string): string {
  const fits = (unit: keyof typeof minutesOf) => minutes % minutesOf[unit] === 0
  const unit = fits('day') ? 'day' : fits('hour') ? 'hour' : 'minute'
  // Uses the digits of codes in every language.
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long', numberingSystem: 'latn' })
  return format.format(minutes / minutesOf[unit])
}
