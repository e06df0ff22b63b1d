// Returns texts of a language with their values filled in.
import type { Catalogue, ParametersOf, Plural, TextKey } from './catalogue.ts'

/** Returns a text by its key. A text that depends on a number takes it as `count`. */
export type TextOf = <Key extends TextKey>(key: Key, ...values: ParametersOf<Key>) => string

/** Texts with which a tenant replaces ours. */
export type TextOverrides = Readonly<Partial<Record<TextKey, string | Plural>>>

const placeholder = /\{(\w+)\}/g

/** @param overrides the tenant's own texts in this language. */
export function textOf(tag: string, texts: Catalogue, overrides: TextOverrides = {}): TextOf {
  const categoryOf = (count: unknown) => new Intl.PluralRules(tag).select(Number(count))
  return (key, ...[values]) => {
    const given: Readonly<Record<string, string | number>> = values ?? {}
    const entry = overrides[key] ?? texts[key]
    const text = typeof entry === 'string' ? entry : (entry[categoryOf(given['count'])] ?? entry.other)
    return text.replaceAll(placeholder, (whole, name: string) => {
      const value = given[name]
      return value === undefined ? whole : typeof value === 'number' ? value.toLocaleString(tag) : value
    })
  }
}
