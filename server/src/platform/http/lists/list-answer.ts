// Lists of the frontend interface: each takes `cursor` and `perPage`, and returns its rows under its own name beside `meta`.
import { parseCursor } from '@bailiwick/contract'
import { type PageQuery, pageEnvelope, pageRequest } from './page.ts'

/** Rows that have been paged already, in the form of the management interface's envelope. */
export function listAnswer<Name extends string, Item, Meta>(
  name: Name,
  { data, meta }: { readonly data: Item[]; readonly meta: Meta },
) {
  return { [name]: data, meta } as Record<Name, Item[]> & { meta: Meta }
}

/** More than one person has of most things, so that a client that does not page gets all of them. */
const perPageDefault = '100'

export interface WholeList<Item> {
  readonly items: readonly Item[]
  /** Returns an item's position in the list; by default its createdAt. */
  readonly placeOf?: (item: Item) => string
  readonly order: 'newest first' | 'oldest first'
}

/**
 * Returns one page of a list that is short enough to be read at once. A cursor means the same as in `http/lists/page.ts`: the row that the page
 * starts at or, if that is gone, the next one.
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
