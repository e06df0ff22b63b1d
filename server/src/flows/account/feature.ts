import type { FlowFeature } from '../feature.ts'
import { authenticatorRoutes, userAuthenticatorRoutes } from './authenticator-routes.ts'
import { ownAccountRoutes } from './routes.ts'

export const feature: FlowFeature = {
  name: 'flows/account',
  management: userAuthenticatorRoutes,
  frontend(frontend, context) {
    ownAccountRoutes(frontend, context)
    authenticatorRoutes(frontend)
  },
}
