import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { type Locating, locate } from '../../platform/http/locate.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { type Router, route } from '../../platform/http/route.ts'
import type { TenantId } from '../../platform/ids.ts'
import * as domains from './organization-domains.ts'
import { tenantsPlace } from './place.ts'

interface OrganizationCall extends Locating {
  readonly actor: Actor
  readonly params: { readonly organizationId: string }
  readonly enter: (tenantId: TenantId) => TenantId
}

export function organizationDomainManagementRoutes(router: Router, deps: Deps) {
  async function placeOf(call: OrganizationCall) {
    const { organizationId } = call.params
    const tenantId = call.enter(await locate(deps.db, call, 'organizations', organizationId))
    return tenantsPlace(tenantId, organizationId, call.actor)
  }

  route(router, endpoints.listDomainsOfOrganization, async (call) =>
    domains.listOrganizationDomains(deps, await placeOf(call)),
  )
  route(router, endpoints.createDomainOfOrganization, async (call) =>
    domains.createOrganizationDomain(deps, await placeOf(call), call.body.name),
  )
  route(router, endpoints.verifyDomainOfOrganization, async (call) =>
    domains.vouchForOrganizationDomain(deps, await placeOf(call), call.params.id),
  )
  route(router, endpoints.deleteDomainOfOrganization, async (call) =>
    domains.deleteOrganizationDomain(deps, await placeOf(call), call.params.id),
  )
}
