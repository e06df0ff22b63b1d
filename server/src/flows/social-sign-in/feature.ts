import type { FlowFeature } from '../feature.ts'
import { oauthStates } from '../providers/tables.ts'
import { socialSignInRoutes } from './routes.ts'

export const feature: FlowFeature = {
  name: 'flows/social-sign-in',
  tables: [oauthStates],
  frontend: socialSignInRoutes,
}
