// The application: every feature bound to its interfaces. main.ts starts it, and tests start it in their own process.
import {
  binaryEndpoints,
  endpoints,
  frontendEndpoints,
  managementInterface,
  openApiDocument,
} from '@bailiwick/contract'
import type { FastifyInstance } from 'fastify'
import packageJson from '../../package.json' with { type: 'json' }
import { bindScim, scimPrefix } from '../enterprise/scim/http/bind-scim.ts'
import { bindFrontend, frontendPrefix } from '../flows/routes.ts'
import { callbackPaths } from '../flows/social-sign-in/routes.ts'
import type { Deps } from '../identity/deps.ts'
import { findStoredFile } from '../media/files.ts'
import { bindSite } from '../pages/site.ts'
import type { Config } from '../platform/config.ts'
import { type ReadReplica, withReplica } from '../platform/db/postgresql/read-replica.ts'
import { describeInterface } from '../platform/http/description.ts'
import { type Health, healthRoutes } from '../platform/http/health.ts'
import { type RequestsUnderWay, createRequestsUnderWay } from '../platform/http/limits/under-way.ts'
import { createMethodRefuser, refuseMethodsOfLiterals } from '../platform/http/methods.ts'
import { createRequestObserver } from '../platform/http/observe.ts'
import { claimingDatabase } from '../platform/idempotency/claim.ts'
import { createIdempotency } from '../platform/idempotency/idempotency.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { traceRequests } from '../platform/telemetry/traced-requests.ts'
import type { Tracer } from '../platform/telemetry/tracer.ts'
import { allEndGrants, type ServiceContext, type ServiceFeature, features } from './features.ts'
import { acceptRequests, createServer, guardEntrance } from './http-server.ts'
import { buildBinary, buildFrontend, buildManagement, buildScim } from './interfaces.ts'
import { ownFeatures } from './own-features.ts'

export const apiPrefix = '/api/v0'

/** The features of every wing. */
const all: readonly ServiceFeature[] = [...features, ...ownFeatures]

export interface AppOptions {
  readonly health: Health
  readonly underWay?: RequestsUnderWay
  readonly metrics?: Metrics
  readonly tracer?: Tracer
  readonly replica?: ReadReplica
}

const describeManagement = ({ baseUrl }: Config) =>
  openApiDocument(
    { ...endpoints, ...binaryEndpoints },
    { ...managementInterface, serverUrl: baseUrl },
    packageJson.version,
  )

export function buildApp(
  input: Deps,
  { health, metrics, tracer, replica, underWay = createRequestsUnderWay() }: AppOptions,
): FastifyInstance {
  const db = claimingDatabase(replica === undefined ? input.db : withReplica(input.db, replica))
  const deps: Deps = { ...input, db }
  const { config, log } = deps
  const app = createServer(config, log)
  if (tracer !== undefined) traceRequests(app, tracer)
  const ownHost = new URL(config.baseUrl).host
  const isOwnHost = (host: string) => host === ownHost || [ownHost, `${ownHost}:443`].includes(host.toLowerCase())
  guardEntrance(app, {
    config,
    health,
    underWay,
    observe: createRequestObserver(log, metrics),
    isOwnHost,
    isForTenants: (url) => url.startsWith(`${frontendPrefix}/`),
    refusers: [
      createMethodRefuser(apiPrefix, Object.values({ ...endpoints, ...binaryEndpoints })),
      createMethodRefuser(frontendPrefix, [...Object.values(frontendEndpoints), ...callbackPaths]),
    ],
  })
  acceptRequests(app, log)
  healthRoutes(app, health)
  const dataParts = all.flatMap(({ dataParts: parts = [] }) => parts)
  const own = { health, dataParts, endGrants: allEndGrants(all) }
  const context: ServiceContext = { ...own, findFile: findStoredFile, binary: () => buildBinary(deps) }
  app.register(
    (api, _options, done) => {
      const management = buildManagement(api, deps, createIdempotency(input))
      for (const feature of all) feature.management?.(management, deps, context)
      refuseMethodsOfLiterals(api, Object.values(endpoints))
      describeInterface(api, () => describeManagement(config))
      done()
    },
    { prefix: apiPrefix },
  )
  const frontend = buildFrontend(deps)
  app.register(
    (api, _options, done) => {
      const bound = frontend.bindTo(api)
      bindFrontend(bound, isOwnHost)
      for (const feature of all) feature.frontend?.(bound, context)
      done()
    },
    { prefix: frontendPrefix },
  )
  app.register(
    (api, _options, done) => {
      bindScim(api, buildScim(deps))
      done()
    },
    { prefix: scimPrefix },
  )
  bindSite({ ...frontend, app }, isOwnHost)
  return app
}
