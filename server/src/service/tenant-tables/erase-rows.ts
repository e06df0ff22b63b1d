import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { tenantTables } from './tenant-tables.ts'

const batch = 500

/**
 * Removes some of a tenant's rows, what refers to others first, so that a process that is killed leaves nothing that the
 * next one cannot go on with. The row of the tenant itself stays.
 * @returns how many; 0: none is left.
 */
export async function eraseSomeRows(db: Database, tenantId: string): Promise<number> {
  for (const { name, walkedBy } of tenantTables.toReversed()) {
    const table = sql.identifier(name)
    const found = await db.first(sql`SELECT 1 AS one FROM ${table} WHERE tenant_id = ${tenantId} LIMIT 1`)
    if (found === undefined) continue
    const columns = sql.identifiers(walkedBy)
    const removed = await db.transaction((tx) =>
      tx.run(sql`DELETE FROM ${table} WHERE tenant_id = ${tenantId} AND (${columns}) IN
        (SELECT ${columns} FROM ${table} WHERE tenant_id = ${tenantId} LIMIT ${batch})`),
    )
    if (removed > 0) return removed
  }
  return 0
}
