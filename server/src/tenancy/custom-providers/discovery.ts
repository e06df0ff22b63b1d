// What an OpenID provider says of itself, read through the guarded way out and kept for ten minutes.
import type { customProviderProblems } from '@bailiwick/contract'
import { LRUCache } from 'lru-cache'
import type * as openid from 'openid-client'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import { EgressError } from '../../platform/net/egress.ts'
import type { Deps } from '../deps.ts'

const timeoutMs = 10_000
const responseBytesMax = 256 * 1024
const describedMs = 10 * 60_000
const describedMax = 200
const bodiless: readonly number[] = [204, 205, 304]

export interface Described {
  readonly metadata: openid.ServerMetadata
  keys?: openid.ExportedJWKSCache | undefined
}

export type DiscoveryProblem = (typeof customProviderProblems)[number]

const sentences: Readonly<Record<DiscoveryProblem, string>> = {
  unreachable: 'The provider cannot be reached, or does not return its metadata.',
  not_an_issuer: 'The metadata name another issuer.',
  unsupported: 'The metadata lack an https URL for authorization, tokens or keys.',
}

export class DiscoveryError extends Error {
  readonly problem: DiscoveryProblem
  constructor(problem: DiscoveryProblem, cause?: unknown) {
    super(sentences[problem], { cause })
    this.name = 'DiscoveryError'
    this.problem = problem
  }
}

/** What providers say of themselves; nothing of a tenant's. */
const described = new LRUCache<string, Described>({ ...entriesAtMost(describedMax), ttl: describedMs })

type Outgoing = Pick<Deps, 'egress' | 'config'>

/** Requests as openid-client makes them, on behalf of a tenant. */
export const fetchThrough =
  ({ egress }: Pick<Deps, 'egress'>, tenantId: string): openid.CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await egress.request(url, {
      tenantId,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      timeoutMs,
      responseBytesMax,
      isKeptAlive: true,
      ...(typeof body === 'string' || body instanceof URLSearchParams ? { body: body.toString() } : {}),
      ...(signal === undefined ? {} : { signal }),
    })
    if (answer.isTruncated) throw new EgressError('answer_cut')
    const answered = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    )
    const isBodiless = bodiless.includes(answer.status)
    return new Response(isBodiless ? null : new Uint8Array(answer.body), { status: answer.status, headers: answered })
  }

const isSameAddress = (one: string, other: string) =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href

/** The browser is sent to the first one, and secrets to the second: neither may be anything but a page. */
const isPage = (address: unknown, isHttpAllowed: boolean) =>
  typeof address === 'string' &&
  URL.canParse(address) &&
  (new URL(address).protocol === 'https:' || (isHttpAllowed && new URL(address).protocol === 'http:'))

function assertUsable(metadata: openid.ServerMetadata, issuer: string, isHttpAllowed: boolean) {
  // openid-client takes the metadata of many issuers for some addresses of Microsoft, and of any for an address in /.well-known/.
  if (!isSameAddress(metadata.issuer, issuer)) throw new DiscoveryError('not_an_issuer')
  const addresses = [metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri]
  if (!addresses.every((address) => isPage(address, isHttpAllowed))) throw new DiscoveryError('unsupported')
}

const isMismatch = (error: unknown) => {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
}

/**
 * Returns what the provider at an issuer says of itself.
 * @param isAsked reads it anew, though it may be in memory.
 * @throws DiscoveryError
 */
export async function discoverProvider(
  deps: Outgoing,
  tenantId: string,
  issuer: string,
  isAsked = false,
): Promise<Described> {
  const known = isAsked ? undefined : described.get(issuer)
  if (known !== undefined) return known
  const library = await import('openid-client')
  const isHttpAllowed = deps.config.env === 'development'
  let metadata: openid.ServerMetadata
  try {
    const found = await library.discovery(new URL(issuer), 'unknown', undefined, library.None(), {
      [library.customFetch]: fetchThrough(deps, tenantId),
      execute: isHttpAllowed ? [library.allowInsecureRequests] : [],
    })
    metadata = found.serverMetadata()
  } catch (cause) {
    throw new DiscoveryError(isMismatch(cause) ? 'not_an_issuer' : 'unreachable', cause)
  }
  assertUsable(metadata, issuer, isHttpAllowed)
  const entry = { metadata }
  described.set(issuer, entry)
  return entry
}
