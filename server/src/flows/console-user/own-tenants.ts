// The tenants of the signed-in console user, with the user's own flags in each.
import { type OwnTenant, roleFlags } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { type PageQuery, pageEnvelope, pageRequest } from '../../platform/http/page.ts'
import type { ConsoleUser } from '../../platform/http/principal.ts'
import { listTenantsOfMember } from '../../tenancy/tenants/list.ts'
import type { TenantRow } from '../../tenancy/tenants/find-tenant.ts'

function present(row: TenantRow, held: ConsoleUser['flags']): OwnTenant {
  const own = held.get(row.id)
  const flags = Object.fromEntries(roleFlags.map((flag) => [flag, own?.has(flag) === true]))
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    environment: row.environment,
    logoId: row.logo_id,
    iconId: row.icon_id,
    ...(flags as Record<(typeof roleFlags)[number], boolean>),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function listOwnTenants(deps: Deps, caller: ConsoleUser, query: PageQuery) {
  const request = pageRequest(query)
  const { page, total } = await listTenantsOfMember(deps, caller, request)
  const data = page.rows.map((row) => present(row, caller.flags))
  return pageEnvelope(page, data, total, request.perPage)
}
