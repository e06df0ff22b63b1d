// The public keys that an issuer publishes (RFC 7517): jose fetches and caches them, within limits of our own.
import type { JWTVerifyGetKey } from 'jose'
import { JWKSInvalid } from 'jose/errors'
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote'
import { readBoundedText } from '../transport/bounded-text.ts'
import { startDeadline } from '../transport/deadline.ts'
import type { Fetch } from '../transport/transport.ts'
import { JwtError } from './jwt-error.ts'

export interface KeySetOptions {
  /** Where the keys are: `BAILIWICK_JWKS_URL` of the tenant's environment. It must be https, except on this machine. */
  readonly jwksUrl: string
  readonly fetch?: Fetch
}

/** A key that was withdrawn is refused after this time at the latest; it is the service's own max-age. */
const maxAgeMs = 600_000
/** However many tokens name unknown keys, the issuer gets one request in this time. */
const cooldownMs = 30_000
const retryAfterFailureMs = 1000
const timeoutMs = 5000
const documentBytesMax = 262_144
const keysMax = 100

function checkedUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? '')
  if (url === undefined || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback))) {
    throw new TypeError('jwksUrl must be an https URL, because keys from an unencrypted connection cannot be trusted')
  }
  return url
}

/**
 * Returns a function that finds the key that a token's header names; it rejects with a {@link JwtError} `unknown_key` or
 * `keys_unavailable`.
 */
export function createKeySet(options: KeySetOptions): JWTVerifyGetKey {
  const url = checkedUrl(options.jwksUrl)
  const fetchKeys = options.fetch ?? ((address, init) => fetch(address, init))
  let fetchedAtMs = 0
  let failure: { readonly error: JwtError; readonly atMs: number } | undefined

  const read = async () => {
    const startedAtMs = Date.now()
    if (failure !== undefined && isWithin(startedAtMs - failure.atMs, retryAfterFailureMs)) throw failure.error
    try {
      const keys = await fetchKeySet(fetchKeys, url.href)
      fetchedAtMs = startedAtMs
      failure = undefined
      return Response.json({ keys })
    } catch (cause) {
      const error = new JwtError('keys_unavailable', 'The key set could not be fetched.', { cause })
      failure = { error, atMs: startedAtMs }
      throw error
    }
  }
  const find = createRemoteJWKSet(url, {
    cacheMaxAge: maxAgeMs,
    cooldownDuration: cooldownMs,
    [customFetch]: read,
  })

  return async (header) => {
    try {
      // If the clock is set back, jose would consider the keys young again.
      if (Date.now() < fetchedAtMs) await find.reload()
      return await find(header)
    } catch (cause) {
      if (cause instanceof JwtError) throw cause
      if (cause instanceof JWKSInvalid)
        throw new JwtError('keys_unavailable', 'The response is not a JSON Web Key Set.', { cause })
      throw new JwtError('unknown_key', 'The issuer does not publish the key with which the token is signed.', {
        cause,
      })
    }
  }
}

const isWithin = (ageMs: number, ms: number) => ageMs >= 0 && ageMs < ms

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the members of the set that are objects; jose decides which of them are keys for signatures (RFC 7517 §5). */
async function fetchKeySet(fetchKeys: Fetch, url: string): Promise<unknown[]> {
  const deadline = startDeadline(timeoutMs)
  let text: string
  try {
    const response = await fetchKeys(url, {
      method: 'GET',
      headers: { accept: 'application/json' },
      signal: deadline.signal,
      redirect: 'manual',
    })
    if (response.status !== 200) throw new Error(`the key set was answered with status ${response.status}`)
    text = await readBoundedText(response, documentBytesMax)
  } finally {
    deadline.clear()
  }
  const { keys } = (JSON.parse(text) ?? {}) as { readonly keys?: unknown }
  if (!Array.isArray(keys) || keys.length > keysMax) throw new Error('the response is not a JSON Web Key Set')
  return keys.filter(isObject)
}
