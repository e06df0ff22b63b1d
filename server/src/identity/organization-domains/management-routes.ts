import { type Endpoint, endpoints } from '@bailiwick/contract'
import type { Call } from '../../platform/http/call.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { tenantsPlace } from '../organizations/organizations.ts'
import * as domains from './organization-domains.ts'

interface OrganizationCall extends Pick<Call<Endpoint>, 'actor'> {
  readonly tenantId: TenantId
  readonly params: { readonly organizationId: string }
}

const placeOf = ({ tenantId, params, actor }: OrganizationCall) => tenantsPlace(tenantId, params.organizationId, actor)

export function organizationDomainManagementRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listDomainsOfOrganization, (call) => domains.listOrganizationDomains(deps, placeOf(call)))
  handle(endpoints.createDomainOfOrganization, (call) =>
    domains.createOrganizationDomain(deps, placeOf(call), call.body.name),
  )
  handle(endpoints.verifyDomainOfOrganization, (call) =>
    domains.vouchForOrganizationDomain(deps, placeOf(call), call.params.id),
  )
  handle(endpoints.checkDomainOfOrganization, (call) =>
    domains.verifyOrganizationDomain(deps, placeOf(call), call.params.id),
  )
  handle(endpoints.deleteDomainOfOrganization, (call) =>
    domains.deleteOrganizationDomain(deps, placeOf(call), call.params.id),
  )
}
