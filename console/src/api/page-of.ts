// One page of a list, whichever way the service says where the next one begins.

export interface ListPage<Row> {
  readonly rows: readonly Row[]
  /** Undefined where the list does not say. */
  readonly total: number | undefined
  readonly next: string | null
  /** The cursor of the page before; empty for the first page of the list. */
  readonly prev: string | null
}

interface Envelope<Row> {
  readonly data: readonly Row[]
  readonly meta: { readonly total: number; readonly next: string | null; readonly prev: string | null }
}

/**
 * A list without an envelope is asked for one row more than is shown: a cursor is the time of the row that a page begins with, so that the
 * further row tells where the next page begins.
 */
export function pageOf<Row>(
  answer: Envelope<Row> | readonly (Row & { readonly createdAt: string })[],
  perPage: number,
  cursor: string,
): ListPage<Row> {
  if ('data' in answer) {
    const { total, next, prev } = answer.meta
    return { rows: answer.data, total, next, prev }
  }
  const next = answer[perPage]?.createdAt ?? null
  return { rows: answer.slice(0, perPage), total: undefined, next, prev: cursor === '' ? null : '' }
}
