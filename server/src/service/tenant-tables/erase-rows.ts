import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { tenantTables } from './tenant-tables.ts'

const batch = 500

/**
 * Removes some of a tenant's rows, those that refer to others first, so that the next process can continue if this one is killed. The row
 * of the tenant itself stays.
 * @returns how many it removed; 0 means that none is left.
 */
export async function eraseSomeRows(db: Database, tenantId: string): Promise<number> {
  for (const { name, walkedBy } of tenantTables.toReversed()) {
    const table = sql.identifier(name)
    const found = await db.first(sql`SELECT 1 AS one FROM ${table} WHERE tenant_id = ${tenantId} LIMIT 1`)
    if (found === undefined) continue
    const columns = sql.identifiers(walkedBy)
    const removed = await db.write(() => [
      sql`DELETE FROM ${table} WHERE tenant_id = ${tenantId} AND (${columns}) IN
        (SELECT ${columns} FROM ${table} WHERE tenant_id = ${tenantId} LIMIT ${batch})`,
    ])
    if (removed > 0) return removed
  }
  return 0
}
