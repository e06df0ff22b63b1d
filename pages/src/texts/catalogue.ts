// The types of the texts. They come from the English file: to add a text, add its key to en.json. Other languages may follow later.
import type { Language as LanguageTag } from '@bailiwick/contract'
import en from './en.json' with { type: 'json' }
import type { TextValues } from './text-values.gen.ts'

/** A text that depends on a number, by the plural categories of the language (CLDR); `other` is always present. */
export type Plural = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>

export type TextKey = keyof typeof en

/** All texts of a language: a text where the English file has a text, and plural forms where it has plural forms. */
export type Catalogue = { readonly [Key in TextKey]: (typeof en)[Key] extends string ? string : Plural }

/** What the file of a language contains. Where it has no text for a key, the pages show the English one. */
export type Translation = Partial<Catalogue>

export const english: Catalogue = en

/** A language that the pages speak. */
export interface Language {
  /** The language tag, as BCP 47 defines it. */
  readonly tag: LanguageTag
  /** The language's name in the language itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
}

/** The values that a text needs: those that the English text contains. */
export type ParametersOf<Key extends TextKey> = Key extends keyof TextValues
  ? readonly [values: { readonly [Name in TextValues[Key]]: Name extends 'count' ? number : string }]
  : readonly []
