import type { Deps } from '../../identity/deps.ts'
import type { Feature } from '../../platform/feature.ts'
import { deploymentRoutes } from './routes.ts'

export const feature: Feature<Deps> = { name: 'service/deployment', management: deploymentRoutes }
