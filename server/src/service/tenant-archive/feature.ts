import type { Deps } from '../../identity/deps.ts'
import type { Feature } from '../../platform/feature.ts'
import type { Health } from '../../platform/http/health.ts'
import { tenantArchiveRoutes } from './routes.ts'

export const feature: Feature<Deps, { readonly health: Health }> = {
  name: 'service/tenant-archive',
  management: (management, deps, { health }) => tenantArchiveRoutes(management, deps, health),
}
