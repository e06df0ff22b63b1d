// The languages of the components, for the provider's `texts`. An app has only those in it that it imports. A text that a language does not
// have is shown in English.
import arabic from './ar.json' with { type: 'json' }
import type { Texts } from './catalogue.ts'
import german from './de.json' with { type: 'json' }

export const ar: Partial<Texts> = arabic
export const de: Partial<Texts> = german
export type { TextName, Texts } from './catalogue.ts'
