// JWTs that the identity provider of a connection signs for this service, with the keys that also sign its users in.
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import { machineMs } from '../../platform/clock.ts'
import { discoverProvider, fetchThrough } from '../../tenancy/custom-providers/discovery.ts'
import type { ConnectionRow } from '../connections/find-connection.ts'
import { oidcSettings } from '../connections/present.ts'
import { samlSettings } from '../connections/saml-settings.ts'
import type { Deps } from '../deps.ts'
import { publicKeyIn } from '../saml/keys/certificates.ts'

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const toleranceSeconds = 60
const keySetsMax = 200
const keySetMs = 10 * 60_000
const tokenLengthMax = 16_384

/** Read through the guarded way out, and read again for an unknown key at most every thirty seconds. */
const keySets = new LRUCache<string, JWTVerifyGetKey>({ ...entriesAtMost(keySetsMax), ttl: keySetMs })

/** @throws DiscoveryError */
async function readKeySet(deps: Deps, { tenant_id: tenantId, ...row }: ConnectionRow): Promise<JWTVerifyGetKey> {
  const { metadata } = await discoverProvider(deps, tenantId, oidcSettings(row).issuer)
  const address = metadata.jwks_uri ?? ''
  const name = `${tenantId} ${address}`
  const known = keySets.get(name)
  if (known !== undefined) return known
  const { createRemoteJWKSet, customFetch } = await import('jose')
  const get = fetchThrough(deps, tenantId)
  const keySet = createRemoteJWKSet(new URL(address), {
    [customFetch]: (url: string, { headers, signal }: { readonly headers: Headers; readonly signal: AbortSignal }) =>
      get(url, { method: 'GET', headers: Object.fromEntries(headers), body: undefined, redirect: 'manual', signal }),
  })
  keySets.set(name, keySet)
  return keySet
}

/** What a JWT must say in addition to its signature. */
export interface ExpectedJwt {
  readonly typ: string
  readonly audience: string | readonly string[]
  readonly requiredClaims: readonly string[]
  /** Whom it must name, if it is not about a user: the client of the connection. */
  readonly subject: 'client' | 'user'
  /** How old it may be, and for how long it may be valid. */
  readonly secondsMax: number
}

async function verifiedBy(
  row: ConnectionRow,
  deps: Deps,
  token: string,
  options: JWTVerifyOptions,
  about: ExpectedJwt['subject'],
) {
  const { jwtVerify } = await import('jose')
  if (row.type === 'oidc') {
    const { issuer, clientId } = oidcSettings(row)
    const ofClient = about === 'client' ? { subject: clientId } : {}
    return (await jwtVerify(token, await readKeySet(deps, row), { ...options, issuer, ...ofClient })).payload
  }
  // The certificates are this connection's alone; what the provider calls the application is not known.
  for (const certificate of samlSettings(row).certificates) {
    const found = await jwtVerify(token, publicKeyIn(certificate), options).catch(() => undefined)
    if (found !== undefined) return found.payload
  }
  return undefined
}

/**
 * Returns what a JWT of the connection's provider says; undefined for one that is not valid here and now.
 * @throws DiscoveryError if the provider's keys cannot be found.
 */
export async function readConnectionJwt(
  deps: Deps,
  row: ConnectionRow,
  token: string,
  { typ, audience, requiredClaims, secondsMax, subject }: ExpectedJwt,
): Promise<JWTPayload | undefined> {
  if (token.length > tokenLengthMax) return undefined
  const { errors } = await import('jose')
  const options: JWTVerifyOptions = {
    algorithms,
    typ,
    audience: typeof audience === 'string' ? audience : [...audience],
    requiredClaims: ['exp', 'iat', ...requiredClaims],
    maxTokenAge: secondsMax,
    clockTolerance: toleranceSeconds,
    currentDate: new Date(machineMs(deps.clock)),
  }
  try {
    const payload = await verifiedBy(row, deps, token, options, subject)
    const { exp = 0, iat = 0 } = payload ?? {}
    return exp - iat > secondsMax + toleranceSeconds ? undefined : payload
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    deps.log.info({ err: error, tenantId: row.tenant_id, connectionId: row.id }, 'a token of a provider is refused')
    return undefined
  }
}
