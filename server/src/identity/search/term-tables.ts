// Where terms are stored: in a row each, to be found by, and together in the record, to be compared with and removed.
import type { Timestamp } from '../../platform/clock.ts'
import { id, text, time } from '../../platform/db/columns.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import { table } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type Terms, cut } from './terms.ts'

/** The time of creation identifies the record within its tenant, and orders the list. */
const columns = { tenant_id: id<TenantId>(), term: text(), created_at: time() }
const options = {
  key: ['tenant_id', 'term', 'created_at'],
  notExported: 'they follow from the records that they find',
} as const

export const userTerms = table('user_terms', columns, options)
export const organizationTerms = table('organization_terms', columns, options)

type TermTable = typeof userTerms

/** A record as it is found. */
export interface Searchable {
  readonly tenant_id: TenantId
  readonly id: string
  readonly created_at: Timestamp
  /** Null until its terms are stored. */
  readonly search_terms: string | null
}

/**
 * Returns the terms in one text, each after a line feed, which no term contains. After one more follow those that need no row of their own, so
 * that the text alone tells whether a word finds the record.
 */
export const joinTerms = ({ stored, others }: Terms): string => `${afterLineFeeds(stored)}\n${afterLineFeeds(others)}`
const afterLineFeeds = (terms: readonly string[]) => (terms.length === 0 ? '' : `\n${terms.join('\n')}`)
const splitTerms = (joined: string | null): string[] => (joined ?? '').split('\n\n')[0]?.split('\n').slice(1) ?? []

/** Returns the condition on the column `search_terms` that one of the terms begins with the word. */
export const hasTerm = (word: string): Fragment =>
  sql`search_terms LIKE ${`%\n${cut(word).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} ESCAPE '\\'`

/** Returns the statements that store the terms of new records; none if they have no terms. */
export function insertTerms(terms: TermTable, records: readonly Searchable[]): Statement[] {
  const rows = records.flatMap(({ tenant_id, created_at, search_terms }) =>
    splitTerms(search_terms).map((term) => [tenant_id, term, created_at]),
  )
  // Two records that happen to be created at one time are refused by their own table, which has the write tried again.
  return rows.length === 0
    ? []
    : [sql`INSERT INTO ${terms.table} (tenant_id, term, created_at) ${sql.values(rows)} ON CONFLICT DO NOTHING`]
}

/** Removes the terms of a record that is removed or renamed. */
export async function deleteTerms(tx: Transaction, terms: TermTable, record: Searchable): Promise<void> {
  const stored = splitTerms(record.search_terms)
  if (stored.length === 0) return
  await tx.run(sql`DELETE FROM ${terms.table} WHERE tenant_id = ${record.tenant_id} AND term IN (${sql.list(stored)})
    AND created_at = ${record.created_at}`)
}

/** Replaces the terms of a record, which the transaction holds or has just changed. */
export async function replaceTerms(
  tx: Transaction,
  terms: TermTable,
  before: Searchable,
  after: Searchable,
): Promise<void> {
  if (before.search_terms === after.search_terms) return
  await deleteTerms(tx, terms, before)
  for (const statement of insertTerms(terms, [after])) await tx.run(statement)
}
