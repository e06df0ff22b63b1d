// Finds out who sent a request to the API of an app that users and their scripts call alike: a session's token, or a key of a user or of an
// organization. Keys are checked by the service, and remembered for a second at most.
import type { UserApiKeyCheck } from '@bailiwick/contract'
import { createConnection } from './connection-options.ts'
import { credentialHeaders } from './credential.ts'
import { isBailiwickError } from './errors.ts'
import { JwtError, type SessionJwt, createJwtVerifier } from './jwt.ts'
import { type Auth, AuthError, type BailiwickAuthOptions, type NodeRequest, createAuthenticator } from './server.ts'
import { readSettings, required, environment } from './server/auth-options.ts'
import { fromFetch, fromNode } from './server/incoming-request.ts'
import { createTransport, readJson } from './transport/transport.ts'

export { AuthError, type AuthErrorCode } from './server.ts'
export type { Auth, BailiwickAuthOptions, NodeRequest } from './server.ts'

export interface ApiAuthOptions extends BailiwickAuthOptions {
  /** The base address of the management interface; `BAILIWICK_API_URL` by default. */
  readonly apiUrl?: string
  /** The tenant's secret key, or an API key with the scope `users:read`, as `apiKey`; `BAILIWICK_SECRET_KEY` by default. */
  readonly secretKey?: string
  readonly apiKey?: string
  /** For how many milliseconds a key that was checked is not checked again: 0 to 1000, which is the default. */
  readonly rememberedMs?: number
}

/** Whose key a request was sent with, and what it may do. */
export interface ApiKeyAuth {
  readonly id: string
  readonly name: string
  /** The user whose key it is; null for the key of an organization. */
  readonly userId: string | null
  /** The organization whose key it is, or in which the user acts with it. */
  readonly organizationId: string | null
  /** What the key may do now; it never exceeds what its owner may do. */
  readonly scopes: readonly string[]
  readonly expiresAt: Date | null
}

/** Who sent a request: a signed-in user, or the holder of a key. */
export type Caller =
  | { readonly kind: 'session'; readonly auth: Auth; readonly apiKey?: never }
  | { readonly kind: 'api_key'; readonly apiKey: ApiKeyAuth; readonly auth?: never }

export interface Requirements {
  /** What a key must have as scopes. They are compared with the scopes of keys only: ask `auth` what a user may do. */
  readonly requiredScopes?: readonly string[]
}

export interface ApiAuthenticator {
  /**
   * Returns who sent the request.
   * @throws AuthError if nobody did who is known, a key lacks a scope, or that cannot be determined; it has the status to answer with.
   */
  readonly verifyRequest: (request: Request, requirements?: Requirements) => Promise<Caller>
  /** Does the same for a request of Node. */
  readonly verifyNodeRequest: (request: NodeRequest, requirements?: Requirements) => Promise<Caller>
}

const keyJwtType = 'api-key+jwt'
const rememberedMsMax = 1000
/** So many keys are remembered at most, whoever sends them. */
const rememberedMax = 10_000
const keyForm = /^\w{1,256}$/

/** What the JWT of a key says beside whose it is and when it ends. */
type KeyJwt = SessionJwt & {
  readonly scope?: string
  readonly claims?: {
    readonly keyId?: string
    readonly keyName?: string
    readonly userId?: string | null
    readonly orgId?: string | null
  }
}

const unknownKey = () => new AuthError('invalid_token', 'The API key is not valid.')

/** Whether a token is a JWT of a key. What its header says is checked with its signature. */
function isKeyJwt(token: string): boolean {
  const [header = '', ...others] = token.split('.')
  if (others.length !== 2) return false
  try {
    const { typ } = JSON.parse(atob(header.replaceAll('-', '+').replaceAll('_', '/'))) as { readonly typ?: unknown }
    return typ === keyJwtType
  } catch {
    return false
  }
}

function fromJwt({ claims, exp, scope = '' }: KeyJwt): ApiKeyAuth {
  const { keyId: id, keyName: name = '', userId = null, orgId: organizationId = null } = claims ?? {}
  if (id === undefined) throw unknownKey()
  const scopes = scope.split(' ').filter((each) => each !== '')
  return { id, name, userId, organizationId, scopes, expiresAt: new Date(exp * 1000) }
}

function fromCheck({ keyId, name, userId, organizationId, scopes, expiresAt }: UserApiKeyCheck): ApiKeyAuth {
  if (keyId === null) throw unknownKey()
  const end = expiresAt === null ? null : new Date(expiresAt)
  return { id: keyId, name: name ?? '', userId, organizationId, scopes, expiresAt: end }
}

async function ofKeyJwt(verify: ReturnType<typeof createJwtVerifier>, token: string): Promise<ApiKeyAuth> {
  try {
    // The verifier has checked the type of the token, which decides what it says.
    return fromJwt(await verify(token))
  } catch (cause) {
    if (!(cause instanceof JwtError)) throw cause
    if (cause.code === 'expired') throw new AuthError('token_expired', cause.message, { cause })
    if (cause.code === 'keys_unavailable') throw new AuthError('service_unavailable', cause.message, { cause })
    throw new AuthError('invalid_token', cause.message, { cause })
  }
}

/** Remembers what a key was found to be; requests at the same moment share one check. A check that failed is forgotten. */
function remembering(check: (key: string) => Promise<ApiKeyAuth>, ms: number) {
  const known = new Map<string, { readonly until: number; readonly found: Promise<ApiKeyAuth> }>()
  return (key: string): Promise<ApiKeyAuth> => {
    const now = performance.now()
    const entry = known.get(key)
    if (entry !== undefined && now < entry.until) return entry.found
    known.delete(key)
    const [oldest] = known.keys()
    if (oldest !== undefined && known.size >= rememberedMax) known.delete(oldest)
    const found = check(key)
    // The second begins before the question is sent: a key that was ended meanwhile is refused in time.
    const made = { until: now + ms, found }
    known.set(key, made)
    found.catch(() => {
      if (known.get(key) === made) known.delete(key)
    })
    return found
  }
}

/**
 * Creates the functions that find out who sent a request to your API: users with their session, as `createAuthenticator` does, and
 * scripts with `Authorization: Bearer` and a key of a user or an organization, or the short JWT of one, which is checked offline. A key
 * that was ended is refused within two seconds at most. Create one for the whole server.
 * @example
 * ```ts
 * import { createApiAuthenticator } from '@bailiwick/sdk/api-keys'
 *
 * const { verifyRequest } = createApiAuthenticator()
 *
 * export async function GET(request: Request) {
 *   const { auth, apiKey } = await verifyRequest(request, { requiredScopes: ['reports:read'] })
 *   return Response.json({ customer: auth?.user.id ?? apiKey?.userId ?? apiKey?.organizationId })
 * }
 * ```
 * @throws TypeError for options with which no request could be checked.
 */
export function createApiAuthenticator(options: ApiAuthOptions = {}): ApiAuthenticator {
  const env = environment()
  const { clockToleranceSeconds, fetch, frontendApiUrl, jwksUrl, now, publicKey, tenantId } = readSettings(options)
  const { apiKey, rememberedMs = rememberedMsMax } = options
  if (!(rememberedMs >= 0 && rememberedMs <= rememberedMsMax))
    throw new TypeError(`rememberedMs must be from 0 to ${rememberedMsMax}`)
  const tenant = required(tenantId, 'tenantId', 'BAILIWICK_TENANT_ID')
  const secretKey = options.secretKey ?? (apiKey === undefined ? env['BAILIWICK_SECRET_KEY'] : undefined)
  const given = required(secretKey ?? apiKey, 'secretKey', 'BAILIWICK_SECRET_KEY')
  const baseUrl = required(options.apiUrl ?? env['BAILIWICK_API_URL'], 'apiUrl', 'BAILIWICK_API_URL')
  const send = createTransport({
    ...createConnection({ baseUrl, ...(fetch === undefined ? {} : { fetch }) }),
    credential: credentialHeaders(secretKey === undefined ? { apiKey: given } : { secretKey }),
    // A check changes nothing, so that it can be sent again without a key.
    onceHeaders: () => ({}),
  })
  const sessions = createAuthenticator(options)
  const verifyKeyJwt = createJwtVerifier({
    issuer: frontendApiUrl,
    audience: publicKey,
    jwksUrl,
    now,
    typ: keyJwtType,
    ...(clockToleranceSeconds === undefined ? {} : { clockToleranceSeconds }),
    ...(fetch === undefined ? {} : { fetch }),
  })

  const target = `/auth/api-keys/authorize?tenantId=${encodeURIComponent(tenant)}`
  const findKey = remembering(async (key) => {
    // In a header, because a check with a body takes the service longer.
    const answer = send({ method: 'GET', target, headers: { 'x-api-key': key } }, readJson)
    const check = await answer.catch((cause: unknown) => {
      if (isBailiwickError(cause, 'api_key_refused')) throw unknownKey()
      throw new AuthError('service_unavailable', 'The API key cannot be checked at the moment.', { cause })
    })
    return fromCheck(check as UserApiKeyCheck)
  }, rememberedMs)

  async function callerBy(
    authorization: string | undefined,
    session: () => Promise<Auth>,
    { requiredScopes = [] }: Requirements = {},
  ): Promise<Caller> {
    const [, scheme, token = ''] = /^(\S+) +(\S.*)?$/.exec(authorization ?? '') ?? []
    const isKey = scheme?.toLowerCase() === 'bearer' && (isKeyJwt(token) || !token.includes('.'))
    if (!isKey) return { kind: 'session', auth: await session() }
    const isJwt = token.includes('.')
    if (!isJwt && !keyForm.test(token)) throw unknownKey()
    const found = await (isJwt ? ofKeyJwt(verifyKeyJwt, token) : findKey(token))
    const missing = requiredScopes.find((scope) => !found.scopes.includes(scope))
    if (missing !== undefined) throw new AuthError('permission_required', `This requires the scope ${missing}.`)
    return { kind: 'api_key', apiKey: found }
  }

  return {
    verifyRequest: async (request, requirements) =>
      callerBy(fromFetch(request).header('authorization'), () => sessions.verifyRequest(request), requirements),
    verifyNodeRequest: async (request, requirements) =>
      callerBy(fromNode(request).header('authorization'), () => sessions.verifyNodeRequest(request), requirements),
  }
}
