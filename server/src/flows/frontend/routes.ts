// The frontend interface: what end users' browsers and apps call.
import { frontendEndpoints, frontendInterface, openApiDocument } from '@bailiwick/contract'
import { authenticatorRoutes } from '../account/authenticator-routes.ts'
import { organizationDomainRoutes } from '../own-organizations/domain-routes.ts'
import { ownAccountRoutes } from '../account/routes.ts'
import { ownOrganizationRoutes } from '../own-organizations/routes.ts'
import { wellKnownRoutes } from './well-known.ts'
import { passwordResetRoutes } from '../password-resets/routes.ts'
import { socialSignInRoutes } from '../social-sign-in/routes.ts'
import { signInRoutes } from '../sign-in/routes.ts'
import { signUpRoutes } from '../sign-up/routes.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { FrontendRouter } from './frontend-route.ts'
import { byHost } from './tenant-of-request.ts'
import { frontendBaseUrl } from '../../tenancy/tenants/env.ts'
import { answerPreflights } from './preflight.ts'
import { publicTenantRoutes } from './public-tenant.ts'

export const frontendPrefix = '/frontend/api/v0'

/** @param isOwnHost of a Host header: whether it is the deployment's own. */
export function frontendRoutes(router: FrontendRouter, isOwnHost: (host: string) => boolean) {
  const { app, deps } = router
  app.decorateRequest('frontend', undefined)
  app.decorateRequest('frontendTenantId', undefined)
  // Beside the deployment's own host there are the verified domains of tenants, and no others.
  app.addHook('onRequest', ({ host }, _reply, done) => {
    if (deps.config.env !== 'production' || isOwnHost(host)) return done()
    const refuseNone = (tenant: unknown) => done(tenant === undefined ? new ApiError('misdirected_request') : undefined)
    const found = byHost(deps, host)
    if (found instanceof Promise) found.then(refuseNone, done)
    else refuseNone(found)
  })
  answerPreflights(router)
  let description: string | undefined
  app.get('/openapi.json', (_request, reply) => {
    const serverUrl = frontendBaseUrl(deps.config.baseUrl)
    description ??= JSON.stringify(openApiDocument(frontendEndpoints, { ...frontendInterface, serverUrl }))
    return reply.header('content-type', 'application/json; charset=utf-8').send(description)
  })
  publicTenantRoutes(router)
  signInRoutes(router)
  signUpRoutes(router)
  passwordResetRoutes(router)
  ownAccountRoutes(router)
  ownOrganizationRoutes(router)
  organizationDomainRoutes(router)
  authenticatorRoutes(router)
  socialSignInRoutes(router)
  wellKnownRoutes(router)
}
