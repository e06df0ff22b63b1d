// Whether machine applications have been given scopes of a resource. No JSON functions of the databases are used, so the applications' rows
// are read:
// a tenant has at most 200.
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type JsonText, fromJson } from '../../platform/json-text.ts'
import type { MachineScopes } from './scopes-of-resources.ts'

export async function isUsedByMachines(db: Reader, tenantId: TenantId, id: string): Promise<boolean> {
  const rows = await db.all<{ machine_scopes: JsonText<readonly MachineScopes[]> }>(
    sql`SELECT machine_scopes FROM applications WHERE tenant_id = ${tenantId} AND type = 'machine' LIMIT 1000`,
  )
  return rows.some((row) => fromJson(row.machine_scopes).some(({ resourceId }) => resourceId === id))
}
