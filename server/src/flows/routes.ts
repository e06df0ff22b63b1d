// The frontend interface, which end users' browsers and apps call.
import { frontendEndpoints, frontendInterface, openApiDocument } from '@bailiwick/contract'
import { authenticatorRoutes } from './account/authenticator-routes.ts'
import { organizationDomainRoutes } from './own-organizations/domain-routes.ts'
import { ownAccountRoutes } from './account/routes.ts'
import { ownOrganizationRoutes } from './own-organizations/routes.ts'
import { wellKnownRoutes } from './frontend/well-known.ts'
import { passwordResetRoutes } from './password-resets/routes.ts'
import { socialSignInRoutes } from './social-sign-in/routes.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { signUpRoutes } from './sign-up/routes.ts'
import type { DataPart } from '../identity/people/export.ts'
import { ApiError } from '../platform/http/api-error.ts'
import { whenReady } from '../platform/maybe-promise.ts'
import type { Frontend } from './frontend/frontend-steps.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { byHost } from './frontend/tenant-of-request.ts'
import { frontendBaseUrl } from '../tenancy/tenants/env.ts'
import { answerPreflights } from './frontend/preflight.ts'
import { publicTenantRoutes } from './frontend/public-tenant.ts'

export const frontendPrefix = '/frontend/api/v0'

/**
 * @param isOwnHost says of a Host header whether it names the deployment itself.
 * @param dataParts what wings above know about a user, for the export of the user's own data.
 */
export function frontendRoutes(
  frontend: Frontend,
  isOwnHost: (host: string) => boolean,
  dataParts: readonly DataPart[],
) {
  const { app, deps } = frontend
  app.decorateRequest('frontendTenantId', undefined)
  // Besides the deployment's own host there are only the verified domains of tenants.
  app.addHook('onRequest', ({ host }, _reply, done) => {
    if (deps.config.env !== 'production' || isOwnHost(host)) return done()
    const checked = whenReady(byHost(deps, host), (tenant) => {
      done(tenant === undefined ? new ApiError('misdirected_request') : undefined)
    })
    checked?.catch(done)
  })
  answerPreflights(frontend)
  let description: string | undefined
  app.get('/openapi.json', (_request, reply) => {
    const serverUrl = frontendBaseUrl(deps.config.baseUrl)
    description ??= JSON.stringify(
      openApiDocument(frontendEndpoints, { ...frontendInterface, serverUrl }, packageJson.version),
    )
    return reply.header('content-type', 'application/json; charset=utf-8').send(description)
  })
  publicTenantRoutes(frontend)
  signInRoutes(frontend)
  signUpRoutes(frontend)
  passwordResetRoutes(frontend)
  ownAccountRoutes(frontend, dataParts)
  ownOrganizationRoutes(frontend)
  organizationDomainRoutes(frontend)
  authenticatorRoutes(frontend)
  socialSignInRoutes(frontend)
  wellKnownRoutes(frontend)
}
