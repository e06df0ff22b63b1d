import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { tenantTables } from './tenant-tables.ts'

/** Counts the rows that an export of a tenant reads. It takes as long as the tenant is large: for commands. */
export async function countRows(db: Reader, tenantId: string): Promise<number> {
  let total = 1
  for (const { name, options } of tenantTables) {
    if (options.notExported !== undefined) continue
    const row = await db.first<{ rows: number }>(
      sql`SELECT CAST(count(*) AS INTEGER) AS rows FROM ${sql.identifier(name)} WHERE tenant_id = ${tenantId}`,
    )
    total += row?.rows ?? 0
  }
  return total
}
