// Whether applications name a resource: as machines with scopes there, or in a token exchange. No JSON functions of the databases are used,
// so the applications' rows are read: a tenant has at most 200.
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type JsonText, fromJson } from '../../platform/json-text.ts'
import type { MachineScopes } from './scopes-of-resources.ts'

interface Uses {
  readonly machine_scopes: JsonText<readonly MachineScopes[]>
  readonly exchange_from: JsonText<readonly string[]>
  readonly exchange_to: JsonText<readonly string[]>
}

export async function isUsedByApplications(db: Reader, tenantId: TenantId, id: string): Promise<boolean> {
  const rows = await db.all<Uses>(
    sql`SELECT machine_scopes, exchange_from, exchange_to FROM applications
      WHERE tenant_id = ${tenantId} AND type IN ('machine', 'web') LIMIT 1000`,
  )
  return rows.some(
    (row) =>
      fromJson(row.machine_scopes).some(({ resourceId }) => resourceId === id) ||
      [...fromJson(row.exchange_from), ...fromJson(row.exchange_to)].includes(id),
  )
}
