import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { organizationRoleRoutes } from './routes.ts'

/** The rows are in the table of all roles. */
export const feature: Feature<Deps> = {
  name: 'identity/organization-roles',
  management: organizationRoleRoutes,
}
