import type { Feature } from '../../platform/feature.ts'
import type { Health } from '../../platform/http/health.ts'
import type { Deps } from '../deps.ts'
import { eventRoutes } from './routes.ts'

export const feature: Feature<Deps, { readonly health: Health }> = {
  name: 'tenancy/events',
  management: (management, deps, { health }) => eventRoutes(management, deps, health),
}
