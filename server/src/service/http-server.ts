// The HTTP server: its limits, and what is refused before any route is asked.
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../platform/config.ts'
import { ApiError } from '../platform/http/api-error.ts'
import { emptyRequests, readEmptyRequests } from '../platform/http/body/empty-request.ts'
import { acceptJsonBodies } from '../platform/http/body/json-body.ts'
import { acceptStreamedBodies } from '../platform/http/body/streamed-body.ts'
import type { Health } from '../platform/http/health.ts'
import { SilentConnections } from '../platform/http/limits/connections.ts'
import { outsideProductRefusal, readOtherClients } from '../platform/http/limits/other-clients.ts'
import type { RequestsUnderWay } from '../platform/http/limits/under-way.ts'
import { answerHead, type createMethodRefuser } from '../platform/http/methods.ts'
import type { createRequestObserver } from '../platform/http/observe.ts'
import { answerBrokenConnection, renderError, renderErrors } from '../platform/http/render-error.ts'
import { newRequestId } from '../platform/ids.ts'
import { compileOnFirstUse } from '../platform/startup/compile-on-first-use.ts'

const urlBytesMax = 4096
/** How much of a Host header an error repeats. */
const hostLengthMax = 200

/** Limits and time-outs of the HTTP server. */
const limits = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  /** How often Node looks for connections that have exceeded the two time-outs; by default twice a minute. */
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16 * 1024,
  headersMax: 100,
}

/** Whoever asks about permissions gets its own id back (OpenID AuthZEN Authorization API 1.0, section 10.1). */
function requestIdFor({ id, url, headers }: FastifyRequest): string {
  const own = headers['x-request-id']
  const isEcho = url.includes('/auth/evaluations?') && typeof own === 'string' && /^[\x21-\x7e]{1,128}$/.test(own)
  return isEcho ? own : id
}

function setHeadersOfEveryAnswer(request: FastifyRequest, reply: FastifyReply, { baseUrl }: Config) {
  void reply
    .header('x-request-id', requestIdFor(request))
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
  // RFC 6797 §7.2: only over TLS, which is where the base address is.
  if (baseUrl.startsWith('https:')) void reply.header('strict-transport-security', 'max-age=31536000')
}

/** Returns the error that names both hosts, because mostly a proxy has changed the one that the client asked for. */
function misdirected(asked: string, own: string) {
  const advice = 'the proxy must pass Host on unchanged, with its port, and BAILIWICK_BASE_URL must name it'
  const detail = `The request is for ${JSON.stringify(asked.slice(0, hostLengthMax))}, and this service is "${own}": ${advice}.`
  return new ApiError('misdirected_request', { detail })
}

/** Returns why a request is refused whatever it asks for. */
function refusal({ raw }: FastifyRequest): ApiError | undefined {
  if ((raw.url ?? '').length > urlBytesMax) return new ApiError('uri_too_long')
  if (raw.rawHeaders.length > 2 * limits.headersMax) {
    return new ApiError('headers_too_large', { detail: `The request has more than ${limits.headersMax} headers.` })
  }
  // RFC 9112 §3.2
  const hosts = hostsIn(raw.rawHeaders)
  if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) return new ApiError('malformed_request')
  return namesOtherHost(raw) || (transferCoding(raw) ?? 'chunked') !== 'chunked'
    ? new ApiError('malformed_request')
    : undefined
}

/** Whether the target is a whole address of another host than the header names (RFC 9112 §3.2.2): a proxy may have used either. */
function namesOtherHost({ url = '', headers }: FastifyRequest['raw']): boolean {
  if (url.startsWith('/') || url === '*') return false
  return !URL.canParse(url) || new URL(url).host !== headers.host?.toLowerCase()
}

const transferCoding = ({ headers }: FastifyRequest['raw']) => headers['transfer-encoding']?.trim().toLowerCase()

/** Whether nobody can say where the body ends (RFC 9112 §6.3): Node's parser reports such a request and then answers it itself, with 400. */
function isEndless({ raw }: FastifyRequest): boolean {
  const coding = transferCoding(raw)
  return coding !== undefined && coding.split(/[\s,]+/).at(-1) !== 'chunked'
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

export function createServer(config: Config, log: Logger): FastifyInstance {
  const silent = new SilentConnections()
  const app = fastify({
    logger: false,
    genReqId: newRequestId,
    rewriteUrl: readOtherClients,
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
      setHeadersOfEveryAnswer(request, reply, config)
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
  return app
}

interface Entrance {
  readonly config: Config
  readonly health: Health
  readonly underWay: RequestsUnderWay
  readonly observe: ReturnType<typeof createRequestObserver>
  /** Says of a Host header whether it names the deployment itself. */
  readonly isOwnHost: (host: string) => boolean
  /** Says of an address whether the verified domains of tenants serve it, too. */
  readonly isForTenants: (url: string) => boolean
  readonly refusers: readonly ReturnType<typeof createMethodRefuser>[]
}

/** What every request passes first. */
export function guardEntrance(app: FastifyInstance, entrance: Entrance) {
  const { config, health, underWay, observe, isOwnHost, isForTenants, refusers } = entrance
  app.addHook('onRequest', (request, reply, done) => {
    if (isEndless(request)) return void reply.hijack()
    setHeadersOfEveryAnswer(request, reply, config)
    underWay.add(reply.raw)
    observe?.(request, reply)
    if (health.isDraining) reply.header('connection', 'close')
    const refused = refusal(request)
    if (refused !== undefined) return done(refused)
    const { url } = request.raw
    // Links are only made from the configured address; a caller that used another name was sent here by somebody else.
    const isOnEveryHost = isForTenants(url ?? '') || request.routeOptions.config.isOnEveryHost === true
    if (config.env === 'production' && !health.isHealthPath(url) && !isOnEveryHost && !isOwnHost(request.host)) {
      return done(misdirected(request.host, new URL(config.baseUrl).host))
    }
    // Refused before anything is read or parsed in vain.
    if (request.is404) {
      const allow = (methods: string) => void reply.header('allow', methods)
      const refusedMethod = refusers.map((refuse) => refuse(request.url, allow)).find(Boolean)
      return done(refusedMethod ?? outsideProductRefusal(request.url) ?? new ApiError('not_found'))
    }
    done()
  })
}

/** How bodies are read and failures are answered. */
export function acceptRequests(app: FastifyInstance, log: Logger) {
  renderErrors(app, log)
  answerHead(app)
  readEmptyRequests(app)
  acceptJsonBodies(app)
  acceptStreamedBodies(app)
}
