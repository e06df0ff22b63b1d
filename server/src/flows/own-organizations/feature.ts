import type { FlowFeature } from '../feature.ts'
import { organizationDomainRoutes } from './domain-routes.ts'
import { ownGroupRoutes } from './group-routes.ts'
import { ownRoleRoutes } from './own-roles.ts'
import { ownOrganizationRoutes } from './routes.ts'

export const feature: FlowFeature = {
  name: 'flows/own-organizations',
  frontend(frontend) {
    ownOrganizationRoutes(frontend)
    organizationDomainRoutes(frontend)
    ownGroupRoutes(frontend)
    ownRoleRoutes(frontend)
  },
}
