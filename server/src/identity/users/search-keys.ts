// What users are found by: their texts as they compare, made here alone, both when stored and when asked for.
import { foldCase } from '@bailiwick/contract'

/** Sorts after every text that begins with the one before it; no stored text contains it. */
const afterAll = '\u{10FFFF}'

export interface KeyRange {
  readonly from: string
  readonly to: string
}

const inOneSpacing = (text: string) => text.trim().replaceAll(/\s+/g, ' ')

export const searchKey = (text: string): string => inOneSpacing(foldCase(text))

/** Every key that begins with the text. */
export const prefixRange = (key: string): KeyRange => ({ from: key, to: key + afterAll })

/** The whole name, and its last word where it has several: people look for family names. */
export function nameKeys(name: string | null) {
  if (name === null) return { name_key: null, last_word_key: null }
  const key = searchKey(name)
  const lastSpace = key.lastIndexOf(' ')
  return { name_key: key, last_word_key: lastSpace === -1 ? null : key.slice(lastSpace + 1) }
}

/** The beginning of stored phone numbers, where the text can be one: `+` and digits, or digits alone. */
export function phonePrefix(text: string): string | undefined {
  const digits = text.replaceAll(/[ \-.()[\]]/g, '').replace(/^\+/, '')
  return /^[0-9]{1,15}$/.test(digits) ? `+${digits}` : undefined
}
