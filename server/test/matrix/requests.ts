// For every operation of the contract: a valid request in a prepared tenant, and the ways in which it can name records of another tenant.
// By its type, an operation without an entry does not compile; the generated matrices run over it.
import { type EndpointId, endpoints } from '@bailiwick/contract'
import { operatorKey } from '../harness/service.ts'
import type { Entry } from './request-kinds.ts'
import { applicationsRequests } from './requests/applications.ts'
import { enterpriseRequests } from './requests/enterprise.ts'
import { identityRequests } from './requests/identity.ts'
import { mediaRequests } from './requests/media.ts'
import { messagingRequests } from './requests/messaging.ts'
import { organizationGroupsRequests } from './requests/organization-groups.ts'
import { organizationRolesRequests } from './requests/organization-roles.ts'
import { organizationsRequests } from './requests/organizations.ts'
import { flowsRequests, platformRequests } from './requests/platform.ts'
import { endingRequests, tenancyRequests } from './requests/tenancy.ts'
import { usersRequests } from './requests/users.ts'
import type { World } from './world.ts'

export const requests: { readonly [Id in EndpointId]: Entry<Id> } = {
  ...tenancyRequests,
  ...applicationsRequests,
  ...usersRequests,
  ...identityRequests,
  ...organizationsRequests,
  ...organizationGroupsRequests,
  ...organizationRolesRequests,
  ...enterpriseRequests,
  ...mediaRequests,
  ...messagingRequests,
  ...platformRequests,
  ...flowsRequests,
  ...endingRequests,
}

export const endpointIds = Object.keys(requests) as EndpointId[]

/** Whether the world is unusable after the operation; all others that delete take a record that nothing else needs. */
export const endsItsWorld = (id: EndpointId) => id === 'deleteTenant'

/** A credential that the operation accepts; null if it requires none. */
export function tokenFor(id: EndpointId, world: World): string | null {
  switch (endpoints[id].permission) {
    case 'public':
      return null
    case 'create-tenant':
    case 'operator':
      return operatorKey
    case 'console-user':
      return world.consoleToken
    default:
      return world.secretKey
  }
}
