import { endpoints } from '@bailiwick/contract'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import * as roles from './organization-roles.ts'
import { tenantsRoles } from './place.ts'

interface Called {
  readonly tenantId: TenantId
  readonly params: { readonly organizationId: string }
  readonly actor: Actor
}
const toPlace = ({ tenantId, params, actor }: Called) => tenantsRoles(tenantId, params.organizationId, actor)

export function organizationRoleRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createOrganizationRole, (call) => roles.createOrganizationRole(deps, toPlace(call), call.body))
  handle(endpoints.listOrganizationRoles, (call) => roles.listOrganizationRoles(deps, toPlace(call)))
  handle(endpoints.getOrganizationRole, (call) => roles.getOrganizationRole(deps, toPlace(call), call.params.id))
  handle(endpoints.updateOrganizationRole, (call) =>
    roles.updateOrganizationRole(deps, toPlace(call), call.params.id, call.body),
  )
  handle(endpoints.deleteOrganizationRole, (call) => roles.deleteOrganizationRole(deps, toPlace(call), call.params.id))
}
