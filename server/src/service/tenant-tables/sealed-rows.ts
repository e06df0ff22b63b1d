// The rows of one sealed column, over all tenants, in the order of their keys.
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { SealedColumn, TenantTable } from './tenant-tables.ts'

/** An own password hash stands in the same column as a sealed one of another service. */
export const isSealed = (value: unknown): value is string => typeof value === 'string' && value.startsWith('v1.')

export type SealedRow = Readonly<Record<string, string>>

const columnsOf = (names: readonly string[]): Fragment =>
  sql.join(
    names.map((name) => sql.identifier(name)),
    ', ',
  )

/** What names a row, and what its sealed text is bound to. */
const namesOf = ({ key }: TenantTable, { column, idColumn }: Pick<SealedColumn, 'column' | 'idColumn'>) => [
  ...new Set(['tenant_id', ...key, idColumn, column]),
]

/** @param after the row before the first, undefined to begin. */
export async function selectSealed(
  db: Reader,
  table: TenantTable,
  sealed: Pick<SealedColumn, 'column' | 'idColumn'>,
  after: SealedRow | undefined,
  limit: number,
): Promise<SealedRow[]> {
  const { column } = sealed
  const place = ['tenant_id', ...table.key]
  const isAfter =
    after === undefined
      ? sql``
      : sql` AND (${columnsOf(place)}) > (${sql.join(
          place.map((name) => sql`${after[name] ?? ''}`),
          ', ',
        )})`
  return db.all<SealedRow>(sql`SELECT ${columnsOf(namesOf(table, sealed))} FROM ${sql.identifier(table.name)}
    WHERE ${sql.identifier(column)} LIKE 'v1.%'${isAfter} ORDER BY ${columnsOf(place)} LIMIT ${limit}`)
}
