// The languages of the pages. To add one, add a folder beside this file and a row in each of the two tables.
import { type Language as LanguageTag, directionOf } from '@bailiwick/contract'
import type { Catalogue, Language } from './catalogue.ts'
import { en } from './en/index.ts'

/** The name of each language in the language itself, in the order in which readers see them. */
const names: Readonly<Record<LanguageTag, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  cs: 'Čeština',
  sv: 'Svenska',
  da: 'Dansk',
  nb: 'Norsk bokmål',
  fi: 'Suomi',
  hu: 'Magyar',
  ro: 'Română',
  uk: 'Українська',
  tr: 'Türkçe',
  el: 'Ελληνικά',
  ar: 'العربية',
  he: 'עברית',
  hi: 'हिन्दी',
  ja: '日本語',
  ko: '한국어',
  'zh-Hans': '简体中文',
}

interface Written {
  readonly texts: Catalogue
}

/** The texts of a language are loaded when they are first needed, and then kept. English is always loaded. */
const written: Readonly<Record<LanguageTag, () => Promise<Written>>> = {
  en: async () => ({ texts: en }),
  de: () => import('./de/index.ts'),
  fr: () => import('./fr/index.ts'),
  es: () => import('./es/index.ts'),
  'pt-BR': () => import('./pt-BR/index.ts'),
  it: () => import('./it/index.ts'),
  nl: () => import('./nl/index.ts'),
  pl: () => import('./pl/index.ts'),
  cs: () => import('./cs/index.ts'),
  sv: () => import('./sv/index.ts'),
  da: () => import('./da/index.ts'),
  nb: () => import('./nb/index.ts'),
  fi: () => import('./fi/index.ts'),
  hu: () => import('./hu/index.ts'),
  ro: () => import('./ro/index.ts'),
  uk: () => import('./uk/index.ts'),
  tr: () => import('./tr/index.ts'),
  el: () => import('./el/index.ts'),
  ar: () => import('./ar/index.ts'),
  he: () => import('./he/index.ts'),
  hi: () => import('./hi/index.ts'),
  ja: () => import('./ja/index.ts'),
  ko: () => import('./ko/index.ts'),
  'zh-Hans': () => import('./zh-Hans/index.ts'),
}

export const languageOf = (tag: LanguageTag): Language => ({ tag, name: names[tag], direction: directionOf(tag) })

export const languages: readonly Language[] = (Object.keys(names) as LanguageTag[]).map(languageOf)

/** Returns the texts of a language, and loads them if needed. */
export const catalogueOf = async ({ tag }: Pick<Language, 'tag'>): Promise<Catalogue> => (await written[tag]()).texts
