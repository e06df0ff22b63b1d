import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { statisticRoutes } from './routes.ts'

export const feature: Feature<Deps> = {
  name: 'identity/statistics',
  management: statisticRoutes,
}
