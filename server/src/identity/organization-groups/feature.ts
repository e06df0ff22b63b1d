import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { organizationGroupRoutes } from './routes.ts'
import { organizationGroupMembers, organizationGroups } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'identity/organization-groups',
  tables: [organizationGroups, organizationGroupMembers],
  management: organizationGroupRoutes,
}
