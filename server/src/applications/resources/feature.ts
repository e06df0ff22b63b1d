import type { Deps } from '../../identity/deps.ts'
import type { Feature } from '../../platform/feature.ts'
import { resourceRoutes } from './routes.ts'
import { resources } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'applications/resources',
  tables: [resources],
  management: resourceRoutes,
}
