// Okta's Universal Logout (Global Token Revocation): the provider of a connection says that a person must sign in again.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createAddressLimiter } from '../../platform/http/limits/address-limit.ts'
import { limitFactor } from '../../platform/http/limits/rate-limit.ts'
import { userAgentOf } from '../../platform/http/pipeline.ts'
import { DiscoveryError } from '../../tenancy/custom-providers/discovery.ts'
import { type ConnectionRow, findConnection } from '../connections/find-connection.ts'
import { oidcSettings, revocationUri } from '../connections/present.ts'
import { samlSettings } from '../connections/saml-settings.ts'
import type { Deps } from '../deps.ts'
import type { SubjectIdentifier } from './sign-out-subject.ts'

const perMinute = 300
const bodyBytesMax = 16 * 1024
/** Okta's tokens begin five minutes ago and end in five. */
const tokenSecondsMax = 10 * 60
const typ = 'global-token-revocation+jwt'

interface Params {
  readonly tenant: string
  readonly connection: string
}

async function findLive(deps: Deps, { tenant: tenantId, connection: id }: Params): Promise<ConnectionRow | undefined> {
  const tenant = await deps.tenants.byId(tenantId)
  const row = tenant?.row.id === tenantId ? await findConnection(deps.db, tenant.row.id, id) : undefined
  return row?.state === 'live' ? row : undefined
}

const issuerIn = (row: ConnectionRow) => (row.type === 'oidc' ? oidcSettings(row).issuer : samlSettings(row).entityId)

/** Returns undefined for a body that names nobody in a form that is known. */
function readSubject(row: ConnectionRow, body: unknown): SubjectIdentifier | undefined {
  const { sub_id: subject } = (body ?? {}) as { readonly sub_id?: Readonly<Record<string, unknown>> | null }
  if (typeof subject !== 'object' || subject === null) return undefined
  const { format, email, iss, sub } = subject
  if (format === 'email' && typeof email === 'string') return { format, email }
  const isOwn = row.type === 'saml' || iss === issuerIn(row)
  return format === 'iss_sub' && typeof sub === 'string' && isOwn ? { format, sub } : undefined
}

async function isAuthentic(deps: Deps, row: ConnectionRow, { headers }: FastifyRequest): Promise<boolean> {
  const [scheme = '', token = ''] = (headers.authorization ?? '').split(' ', 2)
  if (scheme.toLowerCase() !== 'bearer' || token === '') return false
  const { readConnectionJwt } = await import('./connection-jwt.ts')
  const audience = revocationUri(deps.config, row)
  const expected = {
    typ,
    audience,
    requiredClaims: ['jti', 'iss', 'sub'],
    secondsMax: tokenSecondsMax,
    subject: 'client',
  } as const
  return (await readConnectionJwt(deps, row, token, expected)) !== undefined
}

/** Returns the status of the answer, which is all that the provider reads. */
async function answer(deps: Deps, request: FastifyRequest<{ Params: Params }>): Promise<number> {
  const row = await findLive(deps, request.params)
  if (row === undefined || !(await isAuthentic(deps, row, request))) return 401
  const subject = readSubject(row, request.body)
  if (subject === undefined) return 400
  const { signOutSubject } = await import('./sign-out-subject.ts')
  const actor = { type: 'system', id: row.id, ip: request.ip, ua: userAgentOf(request) } as const
  return (await signOutSubject(deps, row, subject, actor)) ? 204 : 404
}

export function universalLogoutRoutes(root: FastifyInstance, deps: Deps) {
  const count = perMinute * limitFactor(deps.config)
  const limiter = createAddressLimiter({ name: 'universal-logout', count, windowSeconds: 60, clock: deps.clock })
  root.post<{ Params: Params }>(
    '/t/:tenant/connections/:connection/global-token-revocation',
    { bodyLimit: bodyBytesMax },
    async (request, reply) => {
      limiter.take(request, reply)
      const status = await answer(deps, request).catch((error: unknown) => {
        if (!(error instanceof DiscoveryError)) throw error
        deps.log.info({ err: error, tenantId: request.params.tenant }, 'the keys of a provider cannot be read')
        return 503
      })
      if (status === 401) reply.header('www-authenticate', 'Bearer')
      return reply.code(status).header('cache-control', 'no-store').send()
    },
  )
}
