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

/** Norwegian without a written form, and Nynorsk, whose readers also read Bokmål. */
const readAs: Readonly<Record<string, Language>> = { no: 'nb', nn: 'nb' }

/**
 * Returns the available language for a reader of `tag`: the same one, or one with the same language and script (`de-AT` gets `de`, `pt-PT`
 * gets `pt-BR`, `zh-TW` does not get `zh-Hans`). Returns undefined if there is none or `tag` is not a language.
 */
export function matchLanguage(tag: string, among: readonly Language[] = languages): Language | undefined {
  let wanted: Intl.Locale
  try {
    wanted = new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
  const name = readAs[wanted.language] ?? wanted.language
  const isRead = (language: Language) => {
    const offered = new Intl.Locale(language).maximize()
    return offered.language === name && (offered.script === wanted.script || name === 'nb')
  }
  return among.find((language) => language === tag) ?? among.find(isRead)
}
