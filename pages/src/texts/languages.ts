// The languages that the pages speak. A further one is a file beside this one and a row here.
import { ar } from './ar/index.ts'
import type { Language } from './catalogue.ts'
import { de } from './de/index.ts'
import { en } from './en/index.ts'

export const languages = [
  { tag: 'en', name: 'English', direction: 'ltr', texts: en },
  { tag: 'de', name: 'Deutsch', direction: 'ltr', texts: de },
  { tag: 'ar', name: 'العربية', direction: 'rtl', texts: ar },
] as const satisfies readonly Language[]

export const findLanguage = (tag: string): Language | undefined => languages.find((each) => each.tag === tag)
