// The frontend interface: what end users' browsers and apps call.
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { ownAccountRoutes } from '../own-account/routes.ts'
import { wellKnownRoutes } from '../session-tokens/well-known.ts'
import { signInRoutes } from '../sign-in/routes.ts'
import { answerPreflights } from './preflight.ts'
import { publicTenantRoutes } from './public-tenant.ts'

export const frontendPrefix = '/frontend/api/v0'

export function frontendRoutes(app: FastifyInstance, deps: Deps) {
  app.decorateRequest('frontend', undefined)
  const router = { app, deps }
  answerPreflights(app)
  publicTenantRoutes(router)
  signInRoutes(router)
  ownAccountRoutes(router)
  wellKnownRoutes(router)
}
