// The frontend interface, which end users' browsers and apps call.
import { frontendEndpoints, frontendInterface, openApiDocument } from '@bailiwick/contract'
import packageJson from '../../package.json' with { type: 'json' }
import { ApiError } from '../platform/http/api-error.ts'
import { describeInterface } from '../platform/http/description.ts'
import { whenReady } from '../platform/maybe-promise.ts'
import { frontendBaseUrl } from '../tenancy/tenants/env.ts'
import type { Frontend } from './frontend/frontend-steps.ts'
import { answerPreflights } from './frontend/preflight.ts'
import { byHost } from './frontend/tenant-of-request.ts'

export const frontendPrefix = '/frontend/api/v0'

/**
 * Binds what belongs to no single operation.
 * @param isOwnHost says of a Host header whether it names the deployment itself.
 */
export function bindFrontend(frontend: Frontend, isOwnHost: (host: string) => boolean) {
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
  describeInterface(app, () => {
    const serverUrl = frontendBaseUrl(deps.config.baseUrl)
    return openApiDocument(frontendEndpoints, { ...frontendInterface, serverUrl }, packageJson.version)
  })
}
