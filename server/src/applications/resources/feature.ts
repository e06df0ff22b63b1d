import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../../identity/deps.ts'
import { resourceRoutes } from './routes.ts'
import { resources } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'applications/resources',
  tables: [resources],
  management: resourceRoutes,
}
