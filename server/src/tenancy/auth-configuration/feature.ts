import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { authConfigurationRoutes } from './routes.ts'

export const feature: Feature<Deps> = {
  name: 'tenancy/auth-configuration',
  management: authConfigurationRoutes,
}
