// The terms by which records are found in their middle: "contoso" in ada@contoso.example, "king" in Ada King Lovelace, "bjorn" for Björn.
// A word of a search finds a record if one of its terms begins with the word. Terms that an index of its own already begins with are not
// stored, so that most users have one: the domain of their address.
import { isAscii, plainKey, prefixRange } from './search-keys.ts'

/** The most terms that one record is found by. */
export const termsMax = 24
/** Longer ones are cut, and so are longer words of a search. */
const lengthMax = 64
/** A search of more words than this finds only names that begin with all of it. */
export const wordsMax = 8

/** Whatever begins a word: a letter or digit after something else, and each character of a script that is written without spaces. */
const starts = /(?<![\p{L}\p{N}])[\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
const [digit0, digit9, letterA, letterZ] = [48, 57, 97, 122]
const isLetterOrDigit = (code: number) => (code >= letterA && code <= letterZ) || (code >= digit0 && code <= digit9)

/** Cuts a text to the length of a term, without halving a character. */
export const cut = (text: string) =>
  text.length <= lengthMax ? text : text.slice(0, lengthMax).replace(/[\uD800-\uDBFF]$/, '')

function startsIn(text: string): number[] {
  const found = [0]
  if (!isAscii(text)) {
    for (const { index } of text.matchAll(starts)) if (index > 0) found.push(index)
    return found
  }
  // Nearly all keys are ASCII, in which an expression takes several times as long.
  for (let index = 1; index < text.length; index++) {
    if (isLetterOrDigit(text.charCodeAt(index)) && !isLetterOrDigit(text.charCodeAt(index - 1))) found.push(index)
  }
  return found
}

function chunks(text: string | null): string[] {
  const key = text === null ? '' : plainKey(text)
  return key === '' ? [] : key.split(' ')
}

/** Returns what remains of each word of a name from each beginning of a part: of "king-noel" also "noel". */
export function termsInName(name: string | null): string[] {
  const terms: string[] = []
  for (const chunk of chunks(name)) for (const index of startsIn(chunk)) terms.push(chunk.slice(index))
  return terms
}

/** Returns what remains of an address from each beginning of a part; the domain begins with its @. The last label finds nobody. */
export function termsInAddress(address: string): string[] {
  const key = plainKey(address)
  const at = key.lastIndexOf('@')
  const lastLabel = Math.max(key.lastIndexOf('.'), at + 1)
  const parts = startsIn(key).filter((index) => index <= lastLabel && index !== at + 1)
  return at === -1 ? parts.map((index) => key.slice(index)) : [key.slice(at), ...parts.map((index) => key.slice(index))]
}

/** The terms of a record. */
export interface Terms {
  /** Those that are stored in rows, at most {@link termsMax}. */
  readonly stored: readonly string[]
  /** Those that are found by a key of the record, and domains without their @, which their rows are found by. */
  readonly others: readonly string[]
}

/**
 * Divides terms, the first ones before the others.
 * @param keys of the record that have an index: what they begin with is found without a row.
 */
export function divideTerms(terms: readonly string[], keys: readonly (string | null)[]): Terms {
  const [stored, others, seen]: [string[], string[], Set<string>] = [[], [], new Set()]
  for (const term of terms.map(cut)) {
    const isFound = (other: string | null) => other?.startsWith(term) === true
    if (seen.has(term)) continue
    seen.add(term)
    if (keys.some(isFound)) {
      others.push(term)
      continue
    }
    // A longer term takes the place of its beginning, which its row finds as well.
    const beginning = stored.findIndex((other) => term.startsWith(other))
    const at = beginning === -1 ? stored.length : beginning
    if (at === termsMax || stored.some(isFound)) continue
    stored[at] = term
    if (term.startsWith('@')) others.push(term.slice(1))
  }
  return { stored, others }
}

/** Returns the words of a search, each once. */
export const wordsIn = (text: string): string[] => [...new Set(chunks(text))]

/** Returns what the terms that a word finds begin with. */
export const beginnings = (word: string): string[] =>
  word.startsWith('@') ? [cut(word)] : [cut(word), cut(`@${word}`)]

export const rangesOfTerms = (word: string) => beginnings(word).map(prefixRange)
