// The keys by which users are found. Stored and searched texts are both normalised here, and nowhere else.
import { foldCase } from '@bailiwick/contract'

/** Sorts after every text that begins with the one before it; no stored text contains it. */
const afterAll = '\u{10FFFF}'

export interface KeyRange {
  readonly from: string
  readonly to: string
}

/** Any spacing but single spaces between words. To look for it first is faster, because nearly all texts have none. */
const otherSpacing = /^\s|\s$|\s\s|[^\S ]/
const inOneSpacing = (text: string) => (otherSpacing.test(text) ? text.trim().replaceAll(/\s+/g, ' ') : text)

export const searchKey = (text: string): string => inOneSpacing(foldCase(text))

/** Accents, and the points of Hebrew and Arabic, which people leave out when they type a name. */
const marks = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g
/** Letters that Unicode does not decompose, and how they are typed without them. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}

export const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** Returns the search key without accents: the same for "Björn" and "bjorn". Idempotent. */
export function plainKey(text: string): string {
  const key = searchKey(text)
  // Nearly all texts are ASCII, in which there is nothing to fold.
  if (isAscii(key)) return key
  const bare = key.normalize('NFKD').replaceAll(marks, '')
  return searchKey(bare.replaceAll(/[øłđðħıæœþ]/g, (letter) => plainLetters[letter] ?? letter))
}

/** Returns the range of all keys that begin with the text. */
export const prefixRange = (key: string): KeyRange => ({ from: key, to: key + afterAll })

/** Returns the keys of the whole name, and of its last word if it has several, because people look for family names. */
export function nameKeys(name: string | null) {
  if (name === null) return { name_key: null, last_word_key: null }
  const key = searchKey(name)
  const lastSpace = key.lastIndexOf(' ')
  return { name_key: key, last_word_key: lastSpace === -1 ? null : key.slice(lastSpace + 1) }
}

/** Returns the beginning of stored phone numbers, if the text can be one: `+` and digits, or digits alone. */
export function phonePrefix(text: string): string | undefined {
  const digits = text.replaceAll(/[ \-.()[\]]/g, '').replace(/^\+/, '')
  return /^[0-9]{1,15}$/.test(digits) ? `+${digits}` : undefined
}
