import { frontendEndpoints } from '@bailiwick/contract'
import * as domains from '../../identity/organization-domains/organization-domains.ts'
import { pageOfWhole } from '../../platform/http/lists/list-answer.ts'
import type { Frontend } from '../frontend/frontend-steps.ts'
import { membersPlace } from './rights.ts'
import { listOrganizationSuggestions, requestInvitation } from './suggestions.ts'

export function organizationDomainRoutes({ deps, handle }: Frontend) {
  handle(frontendEndpoints.listOrganizationSuggestions, (call) => listOrganizationSuggestions(deps, call, call.query))
  handle(frontendEndpoints.requestInvitation, async (call) => ({
    email: await requestInvitation(deps, call, call.params.id),
  }))
  handle(frontendEndpoints.listOrganizationDomains, async (call) => {
    const items = await domains.listOrganizationDomains(deps, membersPlace(deps, call, call.params.id))
    return pageOfWhole('domains', { items, order: 'newest first' }, call.query)
  })
  handle(frontendEndpoints.createOrganizationDomain, async (call) => ({
    domain: await domains.createOrganizationDomain(deps, membersPlace(deps, call, call.params.id), call.body.name),
  }))
  handle(frontendEndpoints.getOrganizationDomain, async (call) => ({
    domain: await domains.getOrganizationDomain(deps, membersPlace(deps, call, call.params.id), call.params.domainId),
  }))
  handle(frontendEndpoints.verifyOrganizationDomain, async (call) => ({
    domain: await domains.verifyOrganizationDomain(
      deps,
      membersPlace(deps, call, call.params.id),
      call.params.domainId,
    ),
  }))
  handle(frontendEndpoints.deleteOrganizationDomain, async (call) => ({
    domain: await domains.deleteOrganizationDomain(
      deps,
      membersPlace(deps, call, call.params.id),
      call.params.domainId,
    ),
  }))
}
