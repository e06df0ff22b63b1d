// Checks session tokens offline, against the tenant's published keys. RFC 7519, and RFC 8725 for what to refuse.
import { bytesOfBase64Url } from './base64.ts'
import { JwtError } from './jwt-error.ts'
import { type KeySetOptions, createKeySet } from './key-set.ts'

/** Who is signed in, and where. */
export interface SessionClaims {
  readonly sessionId: string
  readonly name?: string | null
  readonly username?: string | null
  readonly image?: string | null
  readonly email?: string | null
  /** Whether its owner was shown to read it: one that is not verified may be anybody's. */
  readonly emailVerified?: boolean
  readonly phone?: string | null
  readonly phoneVerified?: boolean
  readonly role?: string | null
  readonly permissions?: readonly string[]
  readonly orgId?: string | null
  readonly orgRole?: string | null
  readonly orgPermissions?: readonly string[]
}

export interface SessionJwt {
  readonly iss: string
  /** The user's id. */
  readonly sub: string
  readonly aud: string | readonly string[]
  /** Seconds since 1970, as the other times here. */
  readonly exp: number
  readonly nbf: number
  readonly iat?: number
  readonly jti?: string
  readonly claims?: SessionClaims
}

export interface JwtVerifierOptions extends KeySetOptions {
  readonly issuer: string
  readonly audience: string
  /** What the header must call the token, so that no token of another kind passes; `at+jwt` unless said. */
  readonly typ?: string
  /** How far this machine's clock may be off; 5 unless said, at most 300. */
  readonly clockToleranceSeconds?: number
}

const tokenLengthMax = 16_384
const signatureBytes = 64
const clockToleranceSecondsDefault = 5
const clockToleranceSecondsMax = 300
/** They name or carry a key, or change what is signed; an ordinary token has none of them. */
const refusedHeaders = ['crit', 'b64', 'zip', 'enc', 'jku', 'jwk', 'x5u', 'x5c']

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Makes the function that checks tokens of one issuer for one audience. ES256 only; `exp`, `nbf`, `iss`, `aud` and `sub`
 * must all be there. It keeps the published keys in memory: make one, not one for each request.
 * The function rejects with a {@link JwtError} for every token that is not good.
 * @throws TypeError for options that no token could be judged by.
 */
export function createJwtVerifier(options: JwtVerifierOptions): (token: string) => Promise<SessionJwt> {
  const { audience, clockToleranceSeconds = clockToleranceSecondsDefault, issuer, typ = 'at+jwt' } = options
  for (const [name, value] of Object.entries({ issuer, audience, typ })) {
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a string that is not empty`)
  }
  if (!(clockToleranceSeconds >= 0 && clockToleranceSeconds <= clockToleranceSecondsMax)) {
    throw new TypeError(`clockToleranceSeconds must be from 0 to ${clockToleranceSecondsMax}`)
  }
  const findKey = createKeySet(options)

  return async (token) => {
    const { header, payload, signature, signed } = partsOf(token)
    const key = await findKey(kidOf(header, typ))
    // The algorithm is that of the key, whatever the header says.
    const isSigned = await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, signed)
    if (!isSigned) throw new JwtError('bad_signature', 'The signature is not that of the key.')
    checkClaims(payload, { issuer, audience, clockToleranceSeconds })
    return payload as unknown as SessionJwt
  }
}

function partsOf(token: string) {
  const malformed = () => new JwtError('malformed_token', 'This is no signed token.')
  if (typeof token !== 'string' || token.length > tokenLengthMax) throw malformed()
  const [headerPart, payloadPart, signaturePart, ...rest] = token.split('.')
  if (headerPart === undefined || payloadPart === undefined || signaturePart === undefined || rest.length > 0) {
    throw malformed()
  }
  const header = objectOf(headerPart)
  const payload = objectOf(payloadPart)
  const signature = bytesOfBase64Url(signaturePart)
  if (header === undefined || payload === undefined || signature?.length !== signatureBytes) throw malformed()
  return { header, payload, signature, signed: new TextEncoder().encode(`${headerPart}.${payloadPart}`) }
}

function objectOf(part: string): JsonObject | undefined {
  const bytes = bytesOfBase64Url(part)
  if (bytes === undefined) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

function kidOf(header: JsonObject, typ: string): string {
  const refused = refusedHeaders.find((name) => Object.hasOwn(header, name))
  if (refused !== undefined)
    throw new JwtError('unsupported_header', `The header parameter ${refused} is not supported.`)
  if (header['alg'] !== 'ES256') throw new JwtError('wrong_algorithm', 'The token is not signed with ES256.')
  if (header['typ'] !== typ) throw new JwtError('wrong_type', `The token is no ${typ}.`)
  const kid = header['kid']
  if (typeof kid !== 'string') throw new JwtError('unknown_key', 'The token does not name its key.')
  return kid
}

interface Expected {
  readonly issuer: string
  readonly audience: string
  readonly clockToleranceSeconds: number
}

function checkClaims(payload: JsonObject, { audience, clockToleranceSeconds, issuer }: Expected) {
  const { aud, exp, iat, iss, nbf, sub } = payload as Readonly<Partial<Record<keyof SessionJwt, unknown>>>
  const malformed = (name: string) =>
    new JwtError('malformed_claim', `The claim ${name} is missing or not of its kind.`)
  if (iss !== issuer) throw new JwtError('wrong_issuer', 'The token is of another issuer.')
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  if (!audiences.includes(audience)) throw new JwtError('wrong_audience', 'The token is for another audience.')
  if (typeof sub !== 'string' || sub === '') throw malformed('sub')
  if (!isTime(exp)) throw malformed('exp')
  if (!isTime(nbf)) throw malformed('nbf')
  if (iat !== undefined && !isTime(iat)) throw malformed('iat')
  const now = Date.now() / 1000
  if (now >= exp + clockToleranceSeconds) throw new JwtError('expired', 'The token has expired.')
  if (now < Math.max(nbf, iat ?? nbf) - clockToleranceSeconds) {
    throw new JwtError('not_yet_valid', 'The token is not valid yet.')
  }
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
