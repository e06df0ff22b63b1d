import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { organizationDomains } from '../organizations/domain-tables.ts'
import { organizationDomainManagementRoutes } from './management-routes.ts'

export const feature: Feature<Deps> = {
  name: 'identity/organization-domains',
  tables: [organizationDomains],
  management: organizationDomainManagementRoutes,
}
