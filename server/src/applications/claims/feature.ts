import type { Deps } from '../../identity/deps.ts'
import type { Feature } from '../../platform/feature.ts'
import { claimRoutes } from './routes.ts'

export const feature: Feature<Deps> = { name: 'applications/claims', management: claimRoutes }
