import type { FlowFeature } from '../feature.ts'
import { publicTenantRoutes } from './public-tenant.ts'
import { wellKnownRoutes } from './well-known.ts'

export const feature: FlowFeature = {
  name: 'flows/frontend',
  frontend(frontend) {
    publicTenantRoutes(frontend)
    wellKnownRoutes(frontend)
  },
}
