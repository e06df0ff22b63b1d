import type { FlowFeature } from '../feature.ts'
import { providerStateRoutes } from '../providers/provider-states.ts'
import { oauthStates } from '../providers/tables.ts'
import { socialSignInRoutes } from './routes.ts'

export const feature: FlowFeature = {
  name: 'flows/social-sign-in',
  tables: [oauthStates],
  management: providerStateRoutes,
  frontend: socialSignInRoutes,
}
