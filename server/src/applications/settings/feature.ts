import type { Deps } from '../../identity/deps.ts'
import type { Feature } from '../../platform/feature.ts'
import { oauthSettingRoutes } from './routes.ts'
import { oauthSettings } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'applications/settings',
  tables: [oauthSettings],
  management: oauthSettingRoutes,
}
