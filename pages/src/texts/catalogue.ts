// The type of a language's catalogue: exactly the keys of the English one; anything else does not compile.
import type { Language as LanguageTag } from '@bailiwick/contract'
import type { en } from './en/index.ts'

/** A text that depends on a number, by the plural categories of the language (CLDR); `other` is always present. */
export type Plural = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>

export type TextKey = keyof typeof en

/** The texts of another language for the same keys: a text for each text, and plural forms for plural forms. */
export type CatalogueLike<English> = { readonly [Key in keyof English]: English[Key] extends string ? string : Plural }

export type Catalogue = CatalogueLike<typeof en>

/** A language that the pages speak. */
export interface Language {
  /** The language tag, as BCP 47 defines it. */
  readonly tag: LanguageTag
  /** The language's name in the language itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
}

type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never

type PlaceholdersOf<Entry> = Entry extends string ? Placeholders<Entry> : Placeholders<Entry[keyof Entry]> | 'count'

/** The values that a text needs: those that the English text contains. */
export type ParametersOf<Key extends TextKey> = [PlaceholdersOf<(typeof en)[Key]>] extends [never]
  ? readonly []
  : readonly [
      values: {
        readonly [Name in PlaceholdersOf<(typeof en)[Key]>]: Name extends 'count' ? number : string
      },
    ]
