import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { socialProviderRoutes } from './routes.ts'
import { socialProviders } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'tenancy/social-providers',
  tables: [socialProviders],
  management: socialProviderRoutes,
}
