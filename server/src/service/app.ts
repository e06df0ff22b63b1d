// The application: hooks and features in order. main.ts starts it, and tests start it in their own process.
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { binaryEndpoints, endpoints, frontendEndpoints } from '@bailiwick/contract'
import type { Deps } from '../identity/deps.ts'
import { createApiKeyFinder } from '../tenancy/api-keys/api-key-principal.ts'
import { apiKeyRoutes } from '../tenancy/api-keys/routes.ts'
import { authConfigurationRoutes } from '../tenancy/auth-configuration/routes.ts'
import { applicationByJwtFinder, isForManagement } from '../applications/engine/machine-principal.ts'
import { protectedResourceRoutes } from '../applications/engine/protected-resource.ts'
import { authorizationServerRoutes } from '../applications/engine/routes.ts'
import { interactionRoutes } from '../applications/interactions/routes.ts'
import { domainRoutes } from '../tenancy/domains/routes.ts'
import { attemptRoutes } from '../identity/attempts/routes.ts'
import { consoleUserByJwtFinder } from '../flows/console-user/console-jwt.ts'
import { consoleUserFinder } from '../flows/console-user/console-principal.ts'
import { consoleUserRoutes } from '../flows/console-user/routes.ts'
import { createAuthenticator } from '../platform/http/authenticate.ts'
import { eventRoutes } from '../tenancy/events/routes.ts'
import { frontendPrefix, frontendRoutes } from '../flows/routes.ts'
import { pageRoutes } from '../pages/binding.ts'
import { consoleRoutes } from '../pages/console/binding.ts'
import { drawEnginePages } from '../pages/engine-binding.ts'
import { previewRoutes } from '../pages/preview/binding.ts'
import { ApiError } from '../platform/http/api-error.ts'
import { SilentConnections } from '../platform/http/connections.ts'
import { emptyRequests, readEmptyRequests } from '../platform/http/empty-request.ts'
import { answerHead, createMethodRefuser, refuseMethodsOfLiterals } from '../platform/http/methods.ts'
import { healthRoutes, type Health } from '../platform/http/health.ts'
import { type ReadReplica, withReplica } from '../platform/db/read-replica.ts'
import { claimingDatabase } from '../platform/idempotency/claim.ts'
import { createIdempotency } from '../platform/idempotency/idempotency.ts'
import { acceptJsonBodies } from '../platform/http/json-body.ts'
import { referenceRoutes } from '../platform/http/reference.ts'
import { answerBrokenConnection, renderError, renderErrors } from '../platform/http/render-error.ts'
import { compileOnFirstUse } from '../platform/startup/compile-on-first-use.ts'
import { createRequestObserver } from '../platform/http/observe.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { traceRequests } from '../platform/telemetry/traced-requests.ts'
import type { Tracer } from '../platform/telemetry/tracer.ts'
import { acceptStreamedBodies } from '../platform/http/streamed-body.ts'
import { newRequestId } from '../platform/ids.ts'
import { type RequestsUnderWay, createRequestsUnderWay } from '../platform/http/under-way.ts'
import { findStoredFile } from '../media/files.ts'
import { mediaRoutes } from '../media/routes.ts'
import { devInboxRoutes } from '../messaging/notifications/dev-inbox-routes.ts'
import { messageRoutes } from '../messaging/notifications/message-routes.ts'
import { notificationRoutes } from '../messaging/notifications/routes.ts'
import { pageSettingRoutes } from '../tenancy/pages/routes.ts'
import { organizationDomainManagementRoutes } from '../identity/organization-domains/management-routes.ts'
import { organizationRoutes } from '../identity/organizations/routes.ts'
import { roleRoutes } from '../tenancy/roles/routes.ts'
import { userAuthenticatorRoutes } from '../flows/account/authenticator-routes.ts'
import { sessionRoutes } from '../identity/sessions/routes.ts'
import { signingKeyRoutes } from '../tenancy/signing-keys/routes.ts'
import { applicationRoutes } from '../applications/applications/routes.ts'
import { authorizationsPart } from '../applications/grants/exported-authorizations.ts'
import { grantRoutes } from '../applications/grants/routes.ts'
import { resourceRoutes } from '../applications/resources/routes.ts'
import { oauthSettingRoutes } from '../applications/settings/routes.ts'
import { customProviderRoutes } from '../tenancy/custom-providers/routes.ts'
import { socialProviderRoutes } from '../tenancy/social-providers/routes.ts'
import { signInExplanationRoutes } from '../flows/sign-in/routes.ts'
import { callbackPaths } from '../flows/social-sign-in/routes.ts'
import { statisticRoutes } from '../identity/statistics/routes.ts'
import { tenantMemberRoutes } from '../identity/tenant-members/routes.ts'
import { tenantRoutes } from '../tenancy/tenants/routes.ts'
import { deploymentRoutes } from './deployment/routes.ts'
import { tenantArchiveRoutes } from './tenant-archive/routes.ts'
import { tenantLifecycleRoutes } from './tenant-lifecycle/routes.ts'
import { transformationRoutes } from '../media/transformations/routes.ts'
import { userRoutes } from '../identity/people/routes.ts'
import { webhookRoutes } from '../messaging/webhooks/routes.ts'
import { buildBinary, buildFrontend, buildManagement } from './interfaces.ts'

const urlBytesMax = 4096
export const apiPrefix = '/api/v0'

/** What the exports of the data about a person contain of the wings above identity. */
const dataParts = [authorizationsPart]

/** Limits and time-outs of the HTTP server. */
const limits = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  /** How often Node looks for connections that have exceeded the two time-outs; by default twice a minute. */
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16 * 1024,
  headersMax: 100,
}

const setHeadersOfEveryAnswer = ({ id }: FastifyRequest, reply: FastifyReply) =>
  void reply.header('x-request-id', id).header('x-content-type-options', 'nosniff').header('cache-control', 'no-store')

/** Returns why a request is refused whatever it asks for. */
function refusal({ raw }: FastifyRequest): ApiError | undefined {
  if ((raw.url ?? '').length > urlBytesMax) return new ApiError('uri_too_long')
  if (raw.rawHeaders.length > 2 * limits.headersMax) {
    return new ApiError('headers_too_large', { detail: `There are more than ${limits.headersMax} headers.` })
  }
  // RFC 9112 §3.2
  const hosts = hostsIn(raw.rawHeaders)
  if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) return new ApiError('malformed_request')
  return undefined
}

/** Counts the Host headers: Node shows only the first, and a proxy may have used another. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}

export interface AppOptions {
  readonly health: Health
  readonly underWay?: RequestsUnderWay
  readonly metrics?: Metrics
  readonly tracer?: Tracer
  readonly replica?: ReadReplica
}

export function buildApp(
  given: Deps,
  { health, metrics, tracer, replica, underWay = createRequestsUnderWay() }: AppOptions,
): FastifyInstance {
  const deps: Deps = {
    ...given,
    db: claimingDatabase(replica === undefined ? given.db : withReplica(given.db, replica)),
  }
  const { config, log } = deps
  const silent = new SilentConnections()
  const app = fastify({
    logger: false,
    genReqId: newRequestId,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: config.keepAliveMs,
    http: {
      ...emptyRequests,
      headersTimeout: limits.headersTimeout,
      connectionsCheckingInterval: limits.connectionsCheckingInterval,
      maxHeaderSize: limits.maxHeaderSize,
      // These are refused below, in the same form as every other refusal.
      requireHostHeader: false,
    },
    trustProxy: config.trustedProxies.length === 0 ? false : [...config.trustedProxies],
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 512 },
    schemaController: { compilersFactory: compileOnFirstUse },
    // Requests that the router refuses bypass the hooks.
    frameworkErrors: (error, request, reply) => {
      setHeadersOfEveryAnswer(request, reply)
      void renderError(log, refusal(request) ?? error, request, reply)
    },
    clientErrorHandler(error, socket) {
      if (socket.bytesRead === 0) silent.close(socket)
      else answerBrokenConnection(error, socket, newRequestId())
    },
  })
  // Node silently drops headers beyond its own limit, which may be a proxy's mark or a credential; here such a request is refused.
  app.server.maxHeadersCount = 0
  app.decorateRequest('call', undefined)
  app.decorateRequest('principal', undefined)

  if (tracer !== undefined) traceRequests(app, tracer)
  const ownHost = new URL(config.baseUrl).host
  const isOwnHost = (host: string) => host === ownHost || [ownHost, `${ownHost}:443`].includes(host.toLowerCase())
  const refusers = [
    createMethodRefuser(apiPrefix, Object.values({ ...endpoints, ...binaryEndpoints })),
    createMethodRefuser(frontendPrefix, [...Object.values(frontendEndpoints), ...callbackPaths]),
  ]
  const isForTenants = (url = '') => url.startsWith(`${frontendPrefix}/`)
  const observe = createRequestObserver(log, metrics)
  app.addHook('onRequest', (request, reply, done) => {
    setHeadersOfEveryAnswer(request, reply)
    underWay.add(reply.raw)
    observe?.(request, reply)
    if (health.isDraining) reply.header('connection', 'close')
    const refused = refusal(request)
    if (refused !== undefined) return done(refused)
    const { url } = request.raw
    // Links are only made from the configured address; a caller that used another name was sent here by somebody else.
    const isOnEveryHost = isForTenants(url) || request.routeOptions.config.isOnEveryHost === true
    if (config.env === 'production' && !health.isHealthPath(url) && !isOnEveryHost && !isOwnHost(request.host)) {
      return done(new ApiError('misdirected_request'))
    }
    // Refused before anything is read or parsed in vain.
    if (request.is404) {
      const allow = (methods: string) => void reply.header('allow', methods)
      return done(refusers.map((refuse) => refuse(request.url, allow)).find(Boolean) ?? new ApiError('not_found'))
    }
    done()
  })
  renderErrors(app, log)
  answerHead(app)
  readEmptyRequests(app)
  acceptJsonBodies(app)
  acceptStreamedBodies(app)

  healthRoutes(app, health)
  devInboxRoutes(app, deps)
  app.register(
    (api, _options, done) => {
      const apiKeys = createApiKeyFinder(deps)
      api.addHook('onClose', () => apiKeys.settle())
      const findConsoleUserByJwt = consoleUserByJwtFinder(deps)
      const findApplication = applicationByJwtFinder(deps)
      const identify = createAuthenticator(config, {
        findSecretKey: deps.tenants.bySecretKey,
        findApiKey: apiKeys.find,
        findConsoleUser: consoleUserFinder(deps.sessions),
        findByJwt: (token, beforeLookUp) =>
          (isForManagement(deps, token) ? findApplication : findConsoleUserByJwt)(token, beforeLookUp),
      })
      const management = buildManagement(api, deps, identify, createIdempotency(given))
      tenantRoutes(management, deps)
      tenantLifecycleRoutes(management, deps)
      authConfigurationRoutes(management, deps)
      signInExplanationRoutes(management, deps)
      pageSettingRoutes(management, deps, findStoredFile)
      signingKeyRoutes(management, deps)
      domainRoutes(management, deps)
      notificationRoutes(management, deps)
      messageRoutes(management, deps)
      tenantMemberRoutes(management, deps)
      roleRoutes(management, deps)
      userRoutes(management, deps, dataParts)
      sessionRoutes(management, deps)
      userAuthenticatorRoutes(management, deps)
      attemptRoutes(management, deps)
      statisticRoutes(management, deps)
      consoleUserRoutes(management, deps)
      deploymentRoutes(management, deps)
      tenantArchiveRoutes(management, deps, health)
      organizationRoutes(management, deps)
      organizationDomainManagementRoutes(management, deps)
      socialProviderRoutes(management, deps)
      customProviderRoutes(management, deps, findStoredFile)
      applicationRoutes(management, deps, findStoredFile)
      resourceRoutes(management, deps)
      grantRoutes(management, deps)
      oauthSettingRoutes(management, deps)
      transformationRoutes(management, deps)
      mediaRoutes(management, deps, buildBinary(deps))
      webhookRoutes(management, deps)
      apiKeyRoutes(management, deps)
      eventRoutes(management, deps, health)
      refuseMethodsOfLiterals(api, Object.values(endpoints))
      referenceRoutes(api, config)
      done()
    },
    { prefix: apiPrefix },
  )
  const frontend = buildFrontend(deps)
  app.register(
    (api, _options, done) => {
      const bound = frontend.bindTo(api)
      frontendRoutes(bound, isOwnHost, dataParts)
      interactionRoutes(bound)
      done()
    },
    { prefix: frontendPrefix },
  )
  authorizationServerRoutes(app, deps, isOwnHost, drawEnginePages)
  protectedResourceRoutes(app, config)
  pageRoutes({ ...frontend, app }, isOwnHost)
  consoleRoutes(app, deps)
  previewRoutes({ ...frontend, app })
  return app
}
