// One page of a list: newest first by createdAt, with a cursor that names the page's first row. It uses neither OFFSET nor COUNT, so a page
// costs the same at row 10 and at row 1,000,000.
import { parseCursor } from '@bailiwick/contract'
import { sumOfCounter } from '../../db/counters.ts'
import type { Reader } from '../../db/database.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { type ListSource, type ListedRows, selectFrom } from '../../db/table.ts'
import type { TenantId } from '../../ids.ts'

const perPageDefault = 20

export interface PageQuery {
  readonly cursor?: string
  readonly perPage?: string
}

export interface PageRequest {
  /** The newest createdAt on the page; undefined means the start of the list. */
  readonly from: string | undefined
  readonly perPage: number
}

/** Reads a query that the contract has checked already. */
export function pageRequest(query: PageQuery): PageRequest {
  return {
    from: query.cursor === undefined ? undefined : parseCursor(query.cursor)?.to,
    perPage: query.perPage === undefined ? perPageDefault : Number(query.perPage),
  }
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly prev: string | null
  readonly next: string | null
}

/** The sizes of nearly all pages that are asked for. */
const usualSizes: ReadonlySet<number> = new Set([10, perPageDefault, 50, 100])

/** Statements for a page of a usual size keep their plan; each other size would be a text of its own, and there are a hundred. */
const limitTo = (rows: number, perPage: number): Fragment =>
  usualSizes.has(perPage) ? sql.limit(rows) : sql`LIMIT ${rows}`

const startingAt = (from: string | undefined): Fragment => (from === undefined ? sql`` : sql`AND created_at <= ${from}`)

const selectPageRows = (source: ListSource<object>, { from, perPage }: PageRequest, columns: Fragment): Fragment =>
  sql`${selectFrom(source, columns, startingAt(from))} ORDER BY created_at DESC ${limitTo(perPage + 1, perPage)}`

/** The rows of one page and the start of the next one, for readers that only move forward. */
export async function selectRows<Row extends { created_at: string }>(
  reader: Reader,
  source: ListSource<Row>,
  request: PageRequest,
): Promise<Omit<Page<Row>, 'prev'>> {
  const { perPage } = request
  const found = await reader.all<Row>(selectPageRows(source, request, source.columns))
  return { rows: found.slice(0, perPage), next: found[perPage]?.created_at ?? null }
}

/**
 * Returns createdAt of the first row of the preceding page as an expression: it is `perPage` rows newer than this page's first, or fewer
 * near the start. Null on the first page.
 */
function previousStart(source: ListedRows, { from, perPage }: PageRequest): Fragment {
  if (from === undefined) return sql`NULL`
  const newer = selectFrom(source, sql`created_at`, sql`AND created_at > ${from}`)
  return sql`(SELECT MAX(created_at) FROM (${newer} ORDER BY created_at ${limitTo(perPage, perPage)}) AS newer)`
}

/**
 * Reads one page.
 * @param source the list: columns, table, and a condition that names the tenant, as fragments. The table has a unique index on the
 * condition's columns followed by created_at, so no two of its rows share a cursor.
 */
export async function selectPage<Row extends { created_at: string }>(
  reader: Reader,
  source: ListSource<Row>,
  request: PageRequest,
): Promise<Page<Row>> {
  if (request.from === undefined) return { ...(await selectRows(reader, source, request)), prev: null }
  const [page, before] = await Promise.all([
    selectRows(reader, source, request),
    reader.first<{ prev: string | null }>(sql`SELECT ${previousStart(source, request)} AS prev`),
  ])
  return { ...page, prev: before?.prev ?? null }
}

/** A list of which a counter says how long it is. */
export interface CountedList<Row extends object> {
  readonly source: ListSource<Row>
  readonly tenantId: TenantId
  readonly counter: string
}

/** What a row of {@link selectCountedRows} has besides its columns. */
export interface CountedRow {
  readonly created_at: string
  readonly page_prev: string | null
  readonly list_total: number | null
}

export interface PageAndTotal<Row> {
  readonly page: Page<Row>
  readonly total: number
}

const totalOfCounter = ({ tenantId, counter }: CountedList<object>) => sumOfCounter(tenantId, counter)

/**
 * Returns a SELECT of the rows of a page and the one after it, each with the start of the preceding page and the length of the list.
 * @param total the length, if it is not read from the counter.
 */
export const selectCountedRows = (
  list: CountedList<object>,
  request: PageRequest,
  total: Fragment = totalOfCounter(list),
): Fragment => selectRowsAndTotal(list.source, total, request)

/** Both engines evaluate the two expressions once, however many rows there are, and read the rows by the same index as without them. */
function selectRowsAndTotal(source: ListSource<object>, total: Fragment, request: PageRequest): Fragment {
  const more = sql`${previousStart(source, request)} AS page_prev, ${total} AS list_total`
  if (source.parts === undefined) return selectPageRows(source, request, sql`${source.columns}, ${more}`)
  return sql`SELECT page.*, ${more} FROM (${selectPageRows(source, request, source.columns)}) AS page`
}

/** Returns the page and the total from what {@link selectCountedRows} has found. */
export const countedPage = <Row extends CountedRow>(
  reader: Reader,
  list: CountedList<object>,
  request: PageRequest,
  found: readonly Row[],
): Promise<PageAndTotal<Row>> => pageAndTotal(reader, { ...list, total: totalOfCounter(list) }, request, found)

async function pageAndTotal<Row extends CountedRow>(
  reader: Reader,
  { source, total }: { readonly source: ListSource<object>; readonly total: Fragment },
  request: PageRequest,
  found: readonly Row[],
): Promise<PageAndTotal<Row>> {
  const { from, perPage } = request
  // A list without a first page is empty. Only an empty page further on needs another statement.
  const row =
    found[0] ??
    (from === undefined
      ? undefined
      : await reader.first<Pick<CountedRow, 'page_prev' | 'list_total'>>(
          sql`SELECT ${previousStart(source, request)} AS page_prev, ${total} AS list_total`,
        ))
  return {
    page: { rows: found.slice(0, perPage), next: found[perPage]?.created_at ?? null, prev: row?.page_prev ?? null },
    total: row?.list_total ?? 0,
  }
}

/** Reads one page of a counted list and its total in one statement. */
export const selectCountedPage = <Row extends { created_at: string }>(
  reader: Reader,
  list: CountedList<Row>,
  request: PageRequest,
): Promise<PageAndTotal<Row>> => selectPageAndTotal(reader, list.source, totalOfCounter(list), request)

const newestFirst = (one: CountedRow, other: CountedRow) => (one.created_at < other.created_at ? 1 : -1)

/**
 * Reads one page and the length of its list in one statement, so that both are of the same moment.
 * @param total the length as an expression that is not 0 unless the list is empty; null counts as 0.
 */
export async function selectPageAndTotal<Row extends { created_at: string }>(
  reader: Reader,
  source: ListSource<Row>,
  total: Fragment,
  request: PageRequest,
): Promise<PageAndTotal<Row>> {
  const found = await reader.all<CountedRow & Row>(selectRowsAndTotal(source, total, request))
  // The order of a subquery is kept by both engines, though by no standard.
  if (source.parts !== undefined) found.sort(newestFirst)
  return pageAndTotal(reader, { source, total }, request, found)
}

/** Returns the envelope of lists: the rows and `meta`. */
export function pageEnvelope<Row, Item>(page: Page<Row>, data: readonly Item[], total: number, perPage: number) {
  return {
    status: 'success' as const,
    data: [...data],
    meta: {
      total,
      count: data.length,
      numPages: Math.ceil(total / perPage),
      perPage,
      prev: page.prev,
      next: page.next,
    },
  }
}
