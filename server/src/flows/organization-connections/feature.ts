import type { FlowFeature } from '../feature.ts'
import { organizationConnectionRoutes } from './routes.ts'

export const feature: FlowFeature = {
  name: 'flows/organization-connections',
  frontend: organizationConnectionRoutes,
}
