// The tenants of the caller, with what the caller may do in each, as flags.
import { type OwnTenant, type RoleFlag, type TenantPermission, permissionFlags, roleFlags } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { holds } from '../../platform/http/credentials/authorize.ts'
import type { Principal } from '../../platform/http/credentials/principal.ts'
import { pageEnvelope, pageRequest } from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantRow } from '../../tenancy/tenants/find-tenant.ts'
import { type TenantListQuery, listCountedTenants } from '../../tenancy/tenants/list.ts'

const permissions = Object.keys(permissionFlags) as TenantPermission[]

/** The permissions that a flag gives. */
const permissionsOf = (flag: RoleFlag) =>
  flag === 'roleAdmin'
    ? permissions
    : permissions.filter((permission) => (permissionFlags[permission] as readonly RoleFlag[]).includes(flag))

/** Whether a member with this flag alone may do nothing that the caller may not do. */
function hasFlag(caller: Principal, flag: RoleFlag, tenantId: TenantId): boolean {
  if (caller.type === 'console_user') return caller.flags.get(tenantId)?.has(flag) === true
  return permissionsOf(flag).every((permission) => holds(caller, permission, tenantId))
}

function present(row: TenantRow, caller: Principal): OwnTenant {
  const flags = Object.fromEntries(roleFlags.map((flag) => [flag, hasFlag(caller, flag, row.id)]))
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    environment: row.environment,
    logoId: row.logo_id,
    iconId: row.icon_id,
    ...(flags as Record<RoleFlag, boolean>),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function listOwnTenants(deps: Deps, caller: Principal, query: TenantListQuery) {
  const request = pageRequest(query)
  const { page, total } = await listCountedTenants(deps, caller, query)
  const data = page.rows.map((row) => present(row, caller))
  return pageEnvelope(page, data, total, request.perPage)
}
