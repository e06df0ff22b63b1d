// Finds the tenant of a record that an operation names by its id alone. For a caller of one tenant, no other tenant is searched.
import type { LocatedRecord, Permission } from '@bailiwick/contract'
import type { Reader } from '../db/database.ts'
import { type Fragment, sql } from '../db/sql.ts'
import type { TenantId } from '../ids.ts'
import { ApiError, notFound } from './api-error.ts'
import { holds, isTenantPermission } from './credentials/authorize.ts'
import { type Principal, isTenantsOwn } from './credentials/principal.ts'

/** The caller and the permission that the operation needs. */
export interface Locating {
  readonly principal: Principal
  readonly permission: Permission
}

/** How many tenants one statement names. */
const tenantsAtOnce = 500

/** Returns the tenants that have a record with that id, at most two. Deleted tenants' records do not exist. */
const selectTenants = (db: Reader, table: LocatedRecord, id: string, among: Fragment) =>
  db.all<{ tenant_id: TenantId }>(sql`SELECT r.tenant_id FROM ${sql.identifier(table)} r
    JOIN tenants t ON t.id = r.tenant_id WHERE r.id = ${id} AND t.deleted_at IS NULL AND ${among} LIMIT 2`)

/** Does the same among the given tenants. */
async function selectTenantsAmong(db: Reader, table: LocatedRecord, id: string, tenantIds: readonly TenantId[]) {
  const found: { tenant_id: TenantId }[] = []
  for (let start = 0; start < tenantIds.length && found.length < 2; start += tenantsAtOnce) {
    const named = tenantIds.slice(start, start + tenantsAtOnce).map((tenantId) => sql`${tenantId}`)
    found.push(...(await selectTenants(db, table, id, sql`r.tenant_id IN (${sql.join(named, ', ')})`)))
  }
  return found
}

/** Returns the tenant of the record that the id means for this caller. */
async function findTenant(db: Reader, { principal, permission }: Locating, table: LocatedRecord, id: string) {
  if (isTenantsOwn(principal)) return principal.tenantId
  if (principal.type === 'operator') return onlyOne(await selectTenants(db, table, id, sql`1 = 1`))
  if (principal.type === 'anonymous') return undefined
  const known = [...principal.flags.keys()]
  const isHeld = (each: TenantId) => isTenantPermission(permission) && holds(principal, permission, each)
  const held = onlyOne(await selectTenantsAmong(db, table, id, known.filter(isHeld)))
  if (held !== undefined) return held
  const others = known.filter((each) => !isHeld(each))
  return (await selectTenantsAmong(db, table, id, others))[0]?.tenant_id
}

function onlyOne([row, another]: readonly { tenant_id: TenantId }[]): TenantId | undefined {
  if (another !== undefined) throw new ApiError('ambiguous_id')
  return row?.tenant_id
}

/**
 * Returns the tenant that would have to hold the record, to be passed to `call.enter` and searched. For a console user only tenants in
 * which the permission is held count, so that another tenant's record with the same id changes nothing. Other tenants only decide between
 * 403 and 404.
 * @throws ApiError not_found; ambiguous_id when several tenants in which the caller holds the permission have a record with that id.
 */
export async function locate(db: Reader, call: Locating, table: LocatedRecord, id: string): Promise<TenantId> {
  const tenantId = await findTenant(db, call, table, id)
  if (tenantId === undefined) throw notFound()
  return tenantId
}
