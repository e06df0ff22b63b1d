// The public keys that an issuer publishes (RFC 7517), fetched when needed and kept for a while.
import { startDeadline } from './deadline.ts'
import { JwtError } from './jwt-error.ts'
import type { Fetch } from './transport.ts'

export interface KeySetOptions {
  /** Where the keys are: `BAILIWICK_JWKS_URL` of the tenant's environment. https, but for this machine. */
  readonly jwksUrl: string
  readonly fetch?: Fetch
}

type VerifyKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** A key that was withdrawn is refused after this time at the latest; the service's own max-age. */
const maxAgeMs = 600_000
/** Tokens that name unknown keys cost the issuer one request in this time, however many they are. */
const cooldownMs = 30_000
const retryAfterFailureMs = 1000
const timeoutMs = 5000
const documentLengthMax = 262_144
const keysMax = 100

function checkedUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? '')
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLoopback)) {
    throw new TypeError('jwksUrl must be an https address: keys that anybody on the way can change prove nothing')
  }
  return url.href
}

/** Finds a key by its id; rejects with a {@link JwtError} `unknown_key` or `keys_unavailable`. */
export function createKeySet(options: KeySetOptions): (kid: string) => Promise<VerifyKey> {
  const url = checkedUrl(options.jwksUrl)
  const fetchKeys = options.fetch ?? ((address, init) => fetch(address, init))
  let keys: ReadonlyMap<string, VerifyKey> | undefined
  let fetchedAt = 0
  let failure: { readonly error: JwtError; readonly at: number } | undefined
  let underWay: Promise<ReadonlyMap<string, VerifyKey>> | undefined

  const load = async () => {
    const startedAt = Date.now()
    try {
      keys = await fetchKeySet(fetchKeys, url)
      fetchedAt = startedAt
      failure = undefined
      return keys
    } catch (cause) {
      const error = new JwtError('keys_unavailable', 'The keys could not be fetched.', { cause })
      failure = { error, at: startedAt }
      throw error
    } finally {
      underWay = undefined
    }
  }
  const refresh = () => {
    if (failure !== undefined && isWithin(failure.at, retryAfterFailureMs)) throw failure.error
    // One request for all who wait.
    return (underWay ??= load())
  }

  return async (kid) => {
    const known = keys !== undefined && isWithin(fetchedAt, maxAgeMs) ? keys : await refresh()
    const key = known.get(kid)
    if (key !== undefined) return key
    // Perhaps the issuer has changed its keys since.
    const later = isWithin(fetchedAt, cooldownMs) ? undefined : (await refresh()).get(kid)
    if (later === undefined) throw new JwtError('unknown_key', 'The issuer publishes no such key.')
    return later
  }
}

/** A clock that was set back makes nothing young again. */
function isWithin(at: number, ms: number): boolean {
  const age = Date.now() - at
  return age >= 0 && age < ms
}

async function fetchKeySet(fetchKeys: Fetch, url: string): Promise<ReadonlyMap<string, VerifyKey>> {
  const deadline = startDeadline(timeoutMs)
  let text: string
  try {
    const response = await fetchKeys(url, {
      method: 'GET',
      headers: { accept: 'application/json' },
      signal: deadline.signal,
      redirect: 'manual',
    })
    if (response.status !== 200) throw new Error(`the key set answered ${response.status}`)
    text = await response.text()
  } finally {
    deadline.clear()
  }
  if (text.length > documentLengthMax) throw new Error('the key set is too large')
  const { keys } = (JSON.parse(text) ?? {}) as { readonly keys?: unknown }
  if (!Array.isArray(keys) || keys.length > keysMax) throw new Error('the answer is no key set')
  const imported = await Promise.all(keys.map((jwk: unknown) => importKey(jwk)))
  return new Map(imported.filter((entry) => entry !== undefined))
}

/** The key under its id; undefined for what is no key of ours, which a set may hold too (RFC 7517 §5). */
async function importKey(jwk: unknown): Promise<readonly [string, VerifyKey] | undefined> {
  if (typeof jwk !== 'object' || jwk === null) return undefined
  const {
    alg = 'ES256',
    crv,
    key_ops: operations,
    kid,
    kty,
    use = 'sig',
    x,
    y,
  } = jwk as Readonly<Record<string, unknown>>
  const isOurs =
    kty === 'EC' &&
    crv === 'P-256' &&
    alg === 'ES256' &&
    use === 'sig' &&
    (operations === undefined || (Array.isArray(operations) && operations.includes('verify'))) &&
    typeof kid === 'string' &&
    typeof x === 'string' &&
    typeof y === 'string'
  if (!isOurs) return undefined
  try {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
    return [kid, await crypto.subtle.importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify'])]
  } catch {
    return undefined
  }
}
