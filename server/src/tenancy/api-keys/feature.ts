import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { apiKeyRoutes } from './routes.ts'
import { apiKeys } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'tenancy/api-keys',
  tables: [apiKeys],
  management: apiKeyRoutes,
}
