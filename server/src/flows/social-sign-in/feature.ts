import type { FlowFeature } from '../feature.ts'
import { providerStateRoutes } from '../providers/provider-states.ts'
import { oauthStates } from '../providers/tables.ts'
import { connectionTestRoutes, socialSignInRoutes } from './routes.ts'

export const feature: FlowFeature = {
  name: 'flows/social-sign-in',
  tables: [oauthStates],
  management(management, deps) {
    providerStateRoutes(management, deps)
    connectionTestRoutes(management, deps)
  },
  frontend: socialSignInRoutes,
}
