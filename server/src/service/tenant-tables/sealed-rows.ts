// The rows of one sealed column, across all tenants, in the order of their keys.
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { SealedColumn, TableFacts } from '../../platform/db/table.ts'

/** The column of password hashes contains both plain hashes of this service and sealed ones of others. */
export const isSealed = (value: unknown): value is string => typeof value === 'string' && value.startsWith('v1.')

export type SealedRow = Readonly<Record<string, string>>

/** What identifies a row, and what its sealed text is bound to. */
const namesOf = ({ walkedBy }: TableFacts, { column, idColumn }: Pick<SealedColumn, 'column' | 'idColumn'>) => [
  ...new Set(['tenant_id', ...walkedBy, idColumn, column]),
]

/** @param after the row after which to begin; undefined for the first. */
export async function selectSealed(
  db: Reader,
  table: TableFacts,
  sealed: Pick<SealedColumn, 'column' | 'idColumn'>,
  after: SealedRow | undefined,
  limit: number,
): Promise<SealedRow[]> {
  const { column } = sealed
  const place = ['tenant_id', ...table.walkedBy]
  const isAfter =
    after === undefined
      ? sql``
      : sql` AND (${sql.identifiers(place)}) > (${sql.list(place.map((name) => after[name] ?? ''))})`
  return db.all<SealedRow>(sql`SELECT ${sql.identifiers(namesOf(table, sealed))} FROM ${sql.identifier(table.name)}
    WHERE ${sql.identifier(column)} LIKE 'v1.%'${isAfter} ORDER BY ${sql.identifiers(place)} LIMIT ${limit}`)
}
