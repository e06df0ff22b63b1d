// The console's own tenant, whose users administer tenants. It is created once for each deployment, in
// service/tenant-lifecycle/create-tenant.ts, and no list shows it.
import type { Database, Reader } from '../../platform/db/database.ts'
import { deployment } from '../../platform/db/tables.ts'
import type { TenantId } from '../../platform/ids.ts'

/** The row of the table `deployment` that names it. */
export const consoleTenantSetting = 'console_tenant_id'

export async function findConsoleTenantId(db: Reader): Promise<TenantId | undefined> {
  return (await deployment.byKey(db, consoleTenantSetting))?.value as TenantId | undefined
}

/** The console tenant of each database that this process has open; once created, it stays for ever. */
const known = new WeakMap<Database, TenantId>()

export async function getConsoleTenantId(db: Database): Promise<TenantId> {
  const tenantId = known.get(db) ?? (await findConsoleTenantId(db))
  if (tenantId === undefined) throw new Error('this deployment has no console tenant; it is made at the start')
  known.set(db, tenantId)
  return tenantId
}
