// The languages of the pages. To add one, add a file beside this one and a row in each of the two tables.
import { type Language as LanguageTag, directionOf } from '@bailiwick/contract'
import { type Catalogue, type Language, type TextKey, type Translation, english } from './catalogue.ts'

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

/** A translation without its keys, as it is published: in the order of the English file, and 0 where it has no text. */
type Unkeyed = readonly (Catalogue[TextKey] | 0)[]

interface TextFile {
  readonly default: Translation | Unkeyed
}

/** A language's file is loaded when it is first needed. English is always loaded. */
const files: Readonly<Record<LanguageTag, () => Promise<TextFile>>> = {
  en: async () => ({ default: english }),
  de: () => import('./de.json', { with: { type: 'json' } }),
  fr: () => import('./fr.json', { with: { type: 'json' } }),
  es: () => import('./es.json', { with: { type: 'json' } }),
  'pt-BR': () => import('./pt-BR.json', { with: { type: 'json' } }),
  it: () => import('./it.json', { with: { type: 'json' } }),
  nl: () => import('./nl.json', { with: { type: 'json' } }),
  pl: () => import('./pl.json', { with: { type: 'json' } }),
  cs: () => import('./cs.json', { with: { type: 'json' } }),
  sv: () => import('./sv.json', { with: { type: 'json' } }),
  da: () => import('./da.json', { with: { type: 'json' } }),
  nb: () => import('./nb.json', { with: { type: 'json' } }),
  fi: () => import('./fi.json', { with: { type: 'json' } }),
  hu: () => import('./hu.json', { with: { type: 'json' } }),
  ro: () => import('./ro.json', { with: { type: 'json' } }),
  uk: () => import('./uk.json', { with: { type: 'json' } }),
  tr: () => import('./tr.json', { with: { type: 'json' } }),
  el: () => import('./el.json', { with: { type: 'json' } }),
  ar: () => import('./ar.json', { with: { type: 'json' } }),
  he: () => import('./he.json', { with: { type: 'json' } }),
  hi: () => import('./hi.json', { with: { type: 'json' } }),
  ja: () => import('./ja.json', { with: { type: 'json' } }),
  ko: () => import('./ko.json', { with: { type: 'json' } }),
  'zh-Hans': () => import('./zh-Hans.json', { with: { type: 'json' } }),
}

export const languageOf = (tag: LanguageTag): Language => ({ tag, name: names[tag], direction: directionOf(tag) })

export const languages: readonly Language[] = (Object.keys(names) as LanguageTag[]).map(languageOf)

/** Returns all texts: those of the translation, and the English ones that it does not have. */
export const withEnglish = (translation: Translation): Catalogue => ({ ...english, ...translation })

const isUnkeyed = (file: TextFile['default']): file is Unkeyed => Array.isArray(file)

/** Returns the texts of a file by their keys. */
export function readTranslation(file: TextFile['default']): Translation {
  if (!isUnkeyed(file)) return file
  const entries = Object.keys(english).map((key, place) => [key, file[place] ?? 0] as const)
  return Object.fromEntries(entries.filter(([, text]) => text !== 0))
}

const loaded = new Map<LanguageTag, Catalogue>([['en', english]])

/** Returns the texts of a language, English where it has none, and loads them if needed. */
export async function catalogueOf({ tag }: Pick<Language, 'tag'>): Promise<Catalogue> {
  const known = loaded.get(tag)
  if (known !== undefined) return known
  const catalogue = withEnglish(readTranslation((await files[tag]()).default))
  loaded.set(tag, catalogue)
  return catalogue
}
