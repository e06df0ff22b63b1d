// Checks session tokens offline, against the tenant's published keys. RFC 7519, and RFC 8725 for what to refuse; the signature and the
// claims are checked by jose.
import type { JWTVerifyGetKey, JWTVerifyOptions, ProtectedHeaderParameters } from 'jose'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { JOSEError, JWSSignatureVerificationFailed, JWTClaimValidationFailed, JWTExpired } from 'jose/errors'
import { jwtVerify } from 'jose/jwt/verify'
import { JwtError } from './jwt/jwt-error.ts'
import { type KeySetOptions, createKeySet } from './jwt/key-set.ts'
import type { Fetch } from './transport/transport.ts'
import type { TenantClaims, TenantPermission, TenantRole } from './types.ts'

export { JwtError, type JwtErrorCode } from './jwt/jwt-error.ts'

/** The signed-in user, and the organization. */
export interface SessionClaims {
  readonly sessionId: string
  readonly name?: string | null
  readonly username?: string | null
  readonly image?: string | null
  readonly email?: string | null
  /** Whether the user has proven to read it: an unverified address or number may be anybody's. */
  readonly emailVerified?: boolean
  readonly phone?: string | null
  readonly phoneVerified?: boolean
  readonly role?: TenantRole | null
  readonly permissions?: readonly TenantPermission[]
  readonly orgId?: string | null
  readonly orgRole?: TenantRole | null
  readonly orgPermissions?: readonly TenantPermission[]
}

interface ServiceClaims {
  readonly iss: string
  /** The user's id. */
  readonly sub: string
  readonly aud: string | readonly string[]
  /** Seconds since 1970, like the other times here. */
  readonly exp: number
  readonly nbf: number
  readonly iat?: number
  readonly jti?: string
  /** When the user last proved who it is. */
  readonly auth_time?: number
  /** `urn:bailiwick:2fa` if a second factor was proven, otherwise `urn:bailiwick:1fa`. */
  readonly acr?: string
  /** How it was proven (RFC 8176). */
  readonly amr?: readonly string[]
  /** The actor who acts in the user's place (RFC 8693 §4.1); absent from the user's own sessions. */
  readonly act?: { readonly type: string; readonly sub: string | null }
  readonly claims?: SessionClaims
}

/** What a session token contains: the claims of the service, and those of the tenant that `bailiwick types` declares. */
export type SessionJwt = ServiceClaims & TenantClaims

/** What an access token of the tenant's OpenID Provider contains (RFC 9068), and the claims that the tenant adds to it. */
export interface AccessToken {
  readonly iss: string
  /** The user's id; the client's id in the token of a client that calls for itself. */
  readonly sub: string
  /** The resources that the token is for. */
  readonly aud: string | readonly string[]
  /** Seconds since 1970, like the other times here. */
  readonly exp: number
  readonly iat: number
  readonly jti: string
  readonly client_id: string
  /** The granted scopes, separated by spaces. */
  readonly scope?: string
  /** The actor who acts in the user's place (RFC 8693 §4.1). */
  readonly act?: { readonly sub: string }
  readonly [claim: string]: unknown
}

export interface AccessTokenVerifierOptions {
  /** The tenant's issuer, such as `https://id.example.com/t/c0123456789`: `issuer` of its metadata. */
  readonly issuer: string
  /** The indicator of your resource, such as `https://api.example.com`. */
  readonly audience: string
  /** Where the issuer's keys are; `{issuer}/oauth/jwks` by default. */
  readonly jwksUrl?: string
  readonly fetch?: Fetch
  /** How many seconds this machine's clock may be off; 5 by default, at most 300. */
  readonly clockToleranceSeconds?: number
}

export interface JwtVerifierOptions extends KeySetOptions {
  readonly issuer: string
  readonly audience: string
  /** The type that the header must name, so that no token of another kind is accepted; `at+jwt` by default. */
  readonly typ?: string
  /** How many seconds this machine's clock may be off; 5 by default, at most 300. */
  readonly clockToleranceSeconds?: number
  /** Returns the present time in milliseconds since 1970; for tests with a tenant whose clock was moved. */
  readonly now?: () => number
}

const tokenLengthMax = 16_384
/**
 * The signature has 64 bytes. Only four letters can be its last one, because each byte sequence has one text: an altered text must not
 * count as the same token.
 */
const compactToken = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/
const clockToleranceSecondsDefault = 5
const clockToleranceSecondsMax = 300
/** They name or carry a key, or change what is signed; an ordinary token has none of them. */
const refusedHeaders = ['crit', 'b64', 'zip', 'enc', 'jku', 'jwk', 'x5u', 'x5c']

/**
 * Creates the function that checks tokens of one issuer for one audience. It accepts ES256 only; `exp`, `nbf`, `iss`, `aud` and `sub`
 * must all be present. It keeps the published keys in memory: create one function, not one for each request. The function rejects with a
 * {@link JwtError} for every token that is not valid.
 * @example
 * ```ts
 * import { createJwtVerifier } from '@bailiwick/sdk/jwt'
 *
 * const issuer = 'https://id.example.com/frontend/api/v0'
 * const verify = createJwtVerifier({ issuer, audience: 'pk_…', jwksUrl: `${issuer}/.well-known/jwks.json` })
 * const { sub } = await verify('eyJ…')
 * ```
 * @throws TypeError for options with which no token could be checked.
 */
export function createJwtVerifier(options: JwtVerifierOptions): (token: string) => Promise<SessionJwt> {
  const verify = createVerifier(options, ['sub', 'exp', 'nbf'])
  // The claims were checked above.
  return async (token) => (await verify(token)) as unknown as SessionJwt
}

/**
 * Creates the function that checks the access tokens with which applications call your API: tokens that the tenant's OpenID Provider has
 * issued for your resource. They are checked like session tokens, but need no `nbf`; `iat`, `jti` and `client_id` must be present. A token
 * that is bound to a key of its client (`cnf`) is refused, because whoever sends it has to prove that it has the key. Create one function, not
 * one for each request. The function rejects with a {@link JwtError} for every token that is not valid.
 * @example
 * ```ts
 * import { createAccessTokenVerifier } from '@bailiwick/sdk/jwt'
 *
 * const verify = createAccessTokenVerifier({
 *   issuer: 'https://id.example.com/t/c0123456789',
 *   audience: 'https://api.example.com',
 * })
 * const { client_id, scope, sub } = await verify('eyJ…')
 * ```
 * @throws TypeError for options with which no token could be checked.
 */
export function createAccessTokenVerifier(
  options: AccessTokenVerifierOptions,
): (token: string) => Promise<AccessToken> {
  const { issuer, jwksUrl = `${issuer}/oauth/jwks` } = options
  const verify = createVerifier({ ...options, jwksUrl }, ['sub', 'exp', 'iat', 'jti', 'client_id'])
  return async (token) => {
    const payload = await verify(token)
    if (payload['cnf'] !== undefined) {
      throw new JwtError('wrong_type', 'The token is bound to a key of its client, and is no bearer token.')
    }
    for (const name of ['jti', 'client_id']) {
      if (typeof payload[name] !== 'string') throw new JwtError('malformed_claim', malformedClaim(name))
    }
    // The claims were checked above.
    return payload as AccessToken
  }
}

function createVerifier(options: JwtVerifierOptions, requiredClaims: string[]): (token: string) => Promise<JsonObject> {
  const { audience, clockToleranceSeconds = clockToleranceSecondsDefault, issuer, typ = 'at+jwt' } = options
  const { now = () => Date.now() } = options
  for (const [name, value] of Object.entries({ issuer, audience, typ })) {
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a non-empty string`)
  }
  if (!(clockToleranceSeconds >= 0 && clockToleranceSeconds <= clockToleranceSecondsMax)) {
    throw new TypeError(`clockToleranceSeconds must be from 0 to ${clockToleranceSecondsMax}`)
  }
  const findKey = createKeySet(options)

  return async (token) => {
    checkHeader(readHeader(token), typ)
    const nowMs = now()
    const expected = {
      issuer,
      audience,
      requiredClaims,
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(nowMs),
    }
    const payload = await verifiedPayload(token, findKey, expected)
    checkValues(payload, nowMs / 1000 + clockToleranceSeconds)
    return payload
  }
}

type JsonObject = Readonly<Record<string, unknown>>

function readHeader(token: string): ProtectedHeaderParameters & JsonObject {
  const malformed = (cause?: unknown) => new JwtError('malformed_token', 'This is not a signed JWT.', { cause })
  if (typeof token !== 'string' || token.length > tokenLengthMax || !compactToken.test(token)) throw malformed()
  try {
    return decodeProtectedHeader(token)
  } catch (cause) {
    throw malformed(cause)
  }
}

function checkHeader(header: JsonObject, typ: string) {
  const refused = refusedHeaders.find((name) => Object.hasOwn(header, name))
  if (refused !== undefined) {
    throw new JwtError('unsupported_header', `The header parameter ${refused} is not supported.`)
  }
  if (header['alg'] !== 'ES256') throw new JwtError('wrong_algorithm', 'The token is not signed with ES256.')
  if (header['typ'] !== typ) throw new JwtError('wrong_type', `The token is not of the type ${typ}.`)
  // Without it jose would try the only key that there is.
  if (typeof header['kid'] !== 'string') throw new JwtError('unknown_key', 'The token has no key id (kid).')
}

async function verifiedPayload(
  token: string,
  findKey: JWTVerifyGetKey,
  expected: JWTVerifyOptions,
): Promise<JsonObject> {
  try {
    const { payload } = await jwtVerify(token, findKey, { algorithms: ['ES256'], ...expected })
    return payload
  } catch (error) {
    throw describeRefusal(error)
  }
}

/** Returns the error that callers see instead of jose's; anything else is a bug and is returned unchanged. */
function describeRefusal(error: unknown): unknown {
  const refusal = (code: ConstructorParameters<typeof JwtError>[0], message: string) =>
    new JwtError(code, message, { cause: error })
  if (error instanceof JWTExpired) return refusal('expired', 'The token has expired.')
  if (error instanceof JWSSignatureVerificationFailed) {
    return refusal('bad_signature', 'The signature of the token is not valid.')
  }
  if (error instanceof JWTClaimValidationFailed) {
    const { claim, reason } = error
    if (claim === 'iss') return refusal('wrong_issuer', 'The token is from another issuer.')
    if (claim === 'aud') return refusal('wrong_audience', 'The token is for another audience.')
    if (claim === 'nbf' && reason === 'check_failed') return refusal('not_yet_valid', 'The token is not valid yet.')
    return refusal('malformed_claim', malformedClaim(claim))
  }
  return error instanceof JOSEError ? refusal('malformed_token', 'This is not a signed JWT.') : error
}

const malformedClaim = (name: string) => `The claim ${name} is missing or has the wrong type.`

/** Checks what jose leaves open: a subject that is not text, times beyond all numbers, and `iat`, which is at most `latest`. */
function checkValues({ exp, iat, nbf, sub }: JsonObject, latest: number) {
  if (typeof sub !== 'string' || sub === '') throw new JwtError('malformed_claim', malformedClaim('sub'))
  for (const [name, value] of Object.entries({ exp, nbf })) {
    if (value !== undefined && !Number.isFinite(value)) throw new JwtError('malformed_claim', malformedClaim(name))
  }
  if (typeof iat === 'number' && !(iat <= latest)) {
    throw new JwtError('not_yet_valid', 'The token is not valid yet.')
  }
}
