// How the search reads and ranks.
import type { Options } from 'minisearch'

/** The page's title, the part's title if it has one of its own, its address and its text. */
export type SearchEntry = readonly [page: string, title: string, address: string, text: string]

export interface FoundPart {
  readonly id: number
  readonly page: string
  readonly title: string
  readonly address: string
  readonly text: string
}

/** Names such as `BAILIWICK_BASE_URL`, `users:read` and `createUser` are found as a whole and by their words. */
function wordsIn(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}]+(?:[_:.-][\p{L}\p{N}]+)*/gu) ?? []
  return words.flatMap((word) => {
    const inner = word.split(/[_:.-]|(?<=[a-z])(?=[A-Z])/)
    return inner.length > 1 ? [word, ...inner] : [word]
  })
}

export const searchOptions: Options = {
  fields: ['title', 'page', 'text'],
  storeFields: ['page', 'title', 'address', 'text'],
  tokenize: wordsIn,
  processTerm: (term) => (term.length < 2 ? null : term.toLowerCase()),
  searchOptions: {
    boost: { title: 4, page: 2 },
    // A page before its parts.
    boostDocument: (_id, _term, stored) => (String(stored?.['address']).includes('#') ? 1 : 2),
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
  },
}
