// The languages of hosted pages and messages.

/** BCP 47 tags. */
export const languages = [
  'ar',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'fi',
  'fr',
  'he',
  'hi',
  'hu',
  'it',
  'ja',
  'ko',
  'nb',
  'nl',
  'pl',
  'pt-BR',
  'ro',
  'sv',
  'tr',
  'uk',
  'zh-Hans',
] as const
export type Language = (typeof languages)[number]

const rightToLeft: ReadonlySet<string> = new Set<Language>(['ar', 'he'])
export const directionOf = (language: string): 'ltr' | 'rtl' => (rightToLeft.has(language) ? 'rtl' : 'ltr')

/** The script that each language is written in. A script is looked up when it is first compared, and then kept. */
const scripts = new Map<Language, string | undefined>()
function scriptOf(language: Language): string | undefined {
  if (!scripts.has(language)) scripts.set(language, new Intl.Locale(language).maximize().script)
  return scripts.get(language)
}

const nameOf = (language: Language) => language.split('-', 1)[0]

/** Norwegian without a written form, and Nynorsk, whose readers also read Bokmål. */
const readAs: Readonly<Record<string, Language>> = { no: 'nb', nn: 'nb' }

/**
 * Returns the available language for a reader of `tag`: the same one, or one with the same language and script (`de-AT` gets `de`, `pt-PT`
 * gets `pt-BR`, `zh-TW` does not get `zh-Hans`). Returns undefined if there is none or `tag` is not a language.
 */
export function matchLanguage(tag: string, among: readonly Language[] = languages): Language | undefined {
  const same = among.find((language) => language === tag)
  if (same !== undefined) return same
  let wanted: Intl.Locale
  try {
    wanted = new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
  const name = readAs[wanted.language] ?? wanted.language
  const { script } = wanted
  return among.find((language) => nameOf(language) === name && (name === 'nb' || scriptOf(language) === script))
}
