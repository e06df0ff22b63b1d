import type { FlowFeature } from '../feature.ts'
import { publicTenantRoutes } from './public-tenant.ts'
import { signUpRoutes } from './routes.ts'

export const feature: FlowFeature = {
  name: 'flows/sign-up',
  frontend(frontend) {
    publicTenantRoutes(frontend)
    signUpRoutes(frontend)
  },
}
