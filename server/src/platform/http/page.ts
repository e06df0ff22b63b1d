// One page of a list: newest first by createdAt, with a cursor that names the page's first row. It uses neither OFFSET nor COUNT, so a page
// costs the same at row 10 and at row 1,000,000.
import { parseCursor } from '@bailiwick/contract'
import type { Reader } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { type ListSource, type ListedRows, selectFrom } from '../db/table.ts'

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

/** The rows of one page and the start of the next one, for readers that only move forward. */
export async function selectRows<Row extends { created_at: string }>(
  reader: Reader,
  source: ListSource<Row>,
  { from, perPage }: PageRequest,
): Promise<Omit<Page<Row>, 'prev'>> {
  const start = from === undefined ? sql`` : sql`AND created_at <= ${from}`
  const found = await reader.all<Row>(
    sql`${selectFrom(source, source.columns, start)} ORDER BY created_at DESC LIMIT ${perPage + 1}`,
  )
  return { rows: found.slice(0, perPage), next: found[perPage]?.created_at ?? null }
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
  const { rows, next } = await selectRows(reader, source, request)
  const { from, perPage } = request
  if (from === undefined) return { rows, next, prev: null }
  return { rows, next, prev: await previousStart(reader, source, rows[0]?.created_at ?? from, perPage) }
}

/**
 * Returns createdAt of the first row of the preceding page, which is `perPage` rows newer than this page's first, or fewer near the start.
 */
async function previousStart(reader: Reader, list: ListedRows, first: string, perPage: number): Promise<string | null> {
  const newer = await reader.all<{ created_at: string }>(
    sql`${selectFrom(list, sql`created_at`, sql`AND created_at > ${first}`)} ORDER BY created_at LIMIT ${perPage}`,
  )
  return newer.at(-1)?.created_at ?? null
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
