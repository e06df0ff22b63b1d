// The languages of messages. To add one, add a file in texts/ and a line here. A language's texts are loaded when they are first needed.
import { type Language, languages, matchLanguage } from '@bailiwick/contract'
import en from '../texts/en.json' with { type: 'json' }

export type MessageKey = keyof typeof en
export type MessageTexts = Readonly<Record<MessageKey, string>>

/** The texts of messages in English. */
export const englishTexts: MessageTexts = en

interface TextFile {
  readonly default: Partial<MessageTexts>
}

const files: Readonly<Record<Language, () => Promise<TextFile>>> = {
  ar: () => import('../texts/ar.json', { with: { type: 'json' } }),
  cs: () => import('../texts/cs.json', { with: { type: 'json' } }),
  da: () => import('../texts/da.json', { with: { type: 'json' } }),
  de: () => import('../texts/de.json', { with: { type: 'json' } }),
  el: () => import('../texts/el.json', { with: { type: 'json' } }),
  en: async () => ({ default: en }),
  es: () => import('../texts/es.json', { with: { type: 'json' } }),
  fi: () => import('../texts/fi.json', { with: { type: 'json' } }),
  fr: () => import('../texts/fr.json', { with: { type: 'json' } }),
  he: () => import('../texts/he.json', { with: { type: 'json' } }),
  hi: () => import('../texts/hi.json', { with: { type: 'json' } }),
  hu: () => import('../texts/hu.json', { with: { type: 'json' } }),
  it: () => import('../texts/it.json', { with: { type: 'json' } }),
  ja: () => import('../texts/ja.json', { with: { type: 'json' } }),
  ko: () => import('../texts/ko.json', { with: { type: 'json' } }),
  nb: () => import('../texts/nb.json', { with: { type: 'json' } }),
  nl: () => import('../texts/nl.json', { with: { type: 'json' } }),
  pl: () => import('../texts/pl.json', { with: { type: 'json' } }),
  'pt-BR': () => import('../texts/pt-BR.json', { with: { type: 'json' } }),
  ro: () => import('../texts/ro.json', { with: { type: 'json' } }),
  sv: () => import('../texts/sv.json', { with: { type: 'json' } }),
  tr: () => import('../texts/tr.json', { with: { type: 'json' } }),
  uk: () => import('../texts/uk.json', { with: { type: 'json' } }),
  'zh-Hans': () => import('../texts/zh-Hans.json', { with: { type: 'json' } }),
}

const loaded = new Map<Language, MessageTexts>([['en', englishTexts]])

/** Returns the texts of messages in a language, English where it has none. */
export async function textsIn(language: Language): Promise<MessageTexts> {
  const known = loaded.get(language)
  if (known !== undefined) return known
  const texts = { ...englishTexts, ...(await files[language]()).default }
  loaded.set(language, texts)
  return texts
}

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
