import type { Deps } from '../../identity/deps.ts'
import type { Feature } from '../../platform/feature.ts'
import { eraseDeletedTenants } from './erasure.ts'
import { tenantLifecycleRoutes } from './routes.ts'

export const feature: Feature<Deps> = {
  name: 'service/tenant-lifecycle',
  management: tenantLifecycleRoutes,
  loops: (deps) => [{ name: 'erasure', pauseMs: 5 * 60_000, share: 0.1, step: () => eraseDeletedTenants(deps) }],
}
