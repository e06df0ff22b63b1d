// Lists of the frontend interface: each takes `cursor` and `perPage`, and answers its rows under a name of their own beside `meta`.
import { parseCursor } from '@bailiwick/contract'
import { type PageQuery, pageEnvelope, pageRequest } from './page.ts'

/** Rows that have been paged already, as the envelope of the management interface holds them. */
export function listAnswer<Name extends string, Item, Meta>(
  name: Name,
  { data, meta }: { readonly data: Item[]; readonly meta: Meta },
) {
  return { [name]: data, meta } as Record<Name, Item[]> & { meta: Meta }
}

/** As many as one person has of most things, so that a client that asks for no pages is shown them all. */
const perPageDefault = '100'

export interface WholeList<Item> {
  readonly items: readonly Item[]
  /** What tells an item's place in the list; its createdAt unless said. */
  readonly placeOf?: (item: Item) => string
  readonly order: 'newest first' | 'oldest first'
}

/**
 * One page out of a list that is short enough to be read at once. A cursor means the same as in `http/page.ts`: the row that the page
 * starts at, or where that is gone, the one that follows it.
 */
export function pageOfWhole<Name extends string, Item extends object>(
  name: Name,
  { items, order, placeOf = createdAtOf }: WholeList<Item>,
  query: PageQuery,
) {
  const { perPage } = pageRequest({ perPage: perPageDefault, ...query })
  const range = query.cursor === undefined ? undefined : parseCursor(query.cursor)
  const isReached = (item: Item) =>
    range === undefined || (order === 'newest first' ? placeOf(item) <= range.to : placeOf(item) >= range.from)
  const found = items.findIndex(isReached)
  const start = found === -1 ? items.length : found
  const placeAt = (index: number) => {
    const item = items[index]
    return item === undefined ? null : placeOf(item)
  }
  const page = {
    rows: items.slice(start, start + perPage),
    prev: start === 0 ? null : placeAt(Math.max(0, start - perPage)),
    next: placeAt(start + perPage),
  }
  return listAnswer(name, pageEnvelope(page, page.rows, items.length, perPage))
}

function createdAtOf(item: object): string {
  if ('createdAt' in item && typeof item.createdAt === 'string') return item.createdAt
  throw new Error('an item of a list without a place')
}
