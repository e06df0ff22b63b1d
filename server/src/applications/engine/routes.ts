// Binds the authorization server twice: below `/t/{tenantId}` on the deployment's address, and at the root of tenants' own domains. Only its
// paths are known here; the engine is loaded by the first request for one of them.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../identity/deps.ts'
import { sendSoon } from '../../platform/http/answer.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { type AddressLimiter, createAddressLimiter } from '../../platform/http/limits/address-limit.ts'
import { limitFactor } from '../../platform/http/limits/rate-limit.ts'
import { type MaybePromise, whenReady } from '../../platform/maybe-promise.ts'
import { readBody, registrationRoutes } from '../registration/routes.ts'
import { type PlacedTenant, tenantByDomain, tenantByPath } from '../settings/placed-tenant.ts'
import { describeDecisionPoint, discoveryOf, keySetDocumentOf } from './configuration/metadata.ts'
import type { PublicDocument } from './configuration/public-document.ts'
import type { DrawEnginePages } from './engine-pages.ts'
import { enginePaths, paths } from './paths.ts'

let loaded: Promise<typeof import('./requests.ts')> | undefined
/** Kept here, because asking for a module by `import` takes time even when it is loaded. */
const load = () => (loaded ??= import('./requests.ts'))
const bodyBytesMax = 56 * 1024
/** Longer addresses are refused; such requests are pushed instead (RFC 9126). */
const addressBytesMax = 3500
const perMinute = 600
const metadataNames = ['openid-configuration', 'oauth-authorization-server'] as const

type Find = (deps: Deps, request: FastifyRequest) => MaybePromise<PlacedTenant>

type Fail = (deps: Deps, error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

interface Server {
  readonly deps: Deps
  readonly limiter: AddressLimiter
  readonly draw: DrawEnginePages
}

/** One of the two places where the server is bound. */
interface Place {
  readonly app: FastifyInstance
  readonly find: Find
  readonly options: { readonly config: { readonly isOnEveryHost: boolean } }
}

/** Answers with a document, without a promise if everything is in memory. */
const publish =
  ({ deps, limiter }: Server, find: Find, documentOf: (placed: PlacedTenant) => MaybePromise<PublicDocument>) =>
  (request: FastifyRequest, reply: FastifyReply) => {
    limiter.take(request, reply)
    return whenReady(whenReady(find(deps, request), documentOf), (document) => sendSoon(document, reply.hijack()))
  }

const publishMetadata = (server: Server, find: Find) => publish(server, find, discoveryOf)

const decisionPointPath = '/.well-known/authzen-configuration'

const publishDecisionPoint = (server: Server, find: Find) =>
  publish(server, find, ({ issuer, tenant }) => describeDecisionPoint(server.deps, issuer, tenant))

function bindDocuments(server: Server, { app, find, options }: Place) {
  const keySet = publish(server, find, ({ tenant }) => keySetDocumentOf(server.deps, tenant))
  app.get(paths.jwks, options, keySet)
  for (const name of metadataNames) app.get(`/.well-known/${name}`, options, publishMetadata(server, find))
  app.get(decisionPointPath, options, publishDecisionPoint(server, find))
}

/** A form from another site comes without cookies. The browser continues by GET, as if it had been sent there by a link. */
function bindPostedForm({ deps, limiter }: Server, { app, find, options }: Place) {
  app.post(paths.authorization, options, async (request, reply) => {
    limiter.take(request, reply)
    const { issuer } = await find(deps, request)
    const parameters = new URLSearchParams(await readBody(request.raw, addressBytesMax))
    return reply.redirect(`${issuer.id}${paths.authorization}?${parameters.toString()}`, 303)
  })
}

function bindEngine({ deps, limiter, draw }: Server, { app, find, options }: Place) {
  for (const [method, url] of enginePaths) {
    app.route({
      method,
      url,
      ...options,
      bodyLimit: bodyBytesMax,
      handler: async (request, reply) => {
        limiter.take(request, reply)
        const placed = await find(deps, request)
        const { answerByEngine } = await load()
        await answerByEngine(deps, placed, request, reply, draw)
      },
    })
  }
}

export function authorizationServerRoutes(
  root: FastifyInstance,
  deps: Deps,
  isOwnHost: (host: string) => boolean,
  draw: DrawEnginePages,
  fail: Fail,
) {
  const count = perMinute * limitFactor(deps.config)
  const limiter = createAddressLimiter({ name: 'oauth', count, windowSeconds: 60, clock: deps.clock })
  const server = { deps, limiter, draw }

  const bind = (app: FastifyInstance, find: Find, isOnEveryHost: boolean) => {
    app.setErrorHandler(async (error, request, reply) => fail(deps, error, request, reply))
    app.removeAllContentTypeParsers()
    // The engine reads the body itself.
    app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    const options = { config: { isOnEveryHost } }
    const place = { app, find, options }
    bindDocuments(server, place)
    bindPostedForm(server, place)
    registrationRoutes(app, options, { deps, limiter, find })
    bindEngine(server, place)
  }

  root.register(
    (app, _options, done) => {
      bind(app, tenantByPath, false)
      done()
    },
    { prefix: '/t/:tenant' },
  )
  root.register((app, _options, done) => {
    app.addHook('onRequest', (request, _reply, next) => {
      next(isOwnHost(request.host) ? new ApiError('not_found') : undefined)
    })
    bind(app, tenantByDomain, true)
    done()
  })
  // RFC 8414 §3.1 puts the well-known part before the path of the issuer.
  for (const name of metadataNames) {
    root.get(`/.well-known/${name}/t/:tenant`, publishMetadata(server, tenantByPath))
  }
  root.get(`${decisionPointPath}/t/:tenant`, publishDecisionPoint(server, tenantByPath))
}
