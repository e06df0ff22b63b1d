// The communication with a provider, through openid-client. It checks state, issuer (RFC 9207), PKCE, nonce and the ID token's signature;
// every request goes out through the egress guard.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type * as openid from 'openid-client'
import type { Deps } from '../../identity/deps.ts'
import type { GrantedTokens } from '../../identity/provider-tokens/provider-tokens.ts'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import { machineMs } from '../../platform/clock.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { SocialProviderId } from '../../platform/ids.ts'
import {
  type Described,
  DiscoveryError,
  discoverProvider,
  fetchThrough,
} from '../../tenancy/custom-providers/discovery.ts'
import { recordOf } from './provider-user.ts'
import type { Granted, Identity, Provider, ProviderSettings } from './provider.ts'
import { providerOf } from './providers.ts'

export interface ProviderClient {
  readonly provider: Provider
  readonly settings: ProviderSettings
  readonly library: typeof openid
  readonly configuration: openid.Configuration
  readonly issuer: string
  /** Whether it supports OpenID Connect: then a sign-in requires an ID token with our nonce. */
  readonly isOpenId: boolean
  readonly described: Described | undefined
}

const placeOf = ({ provider, settings }: Pick<ProviderClient, 'provider' | 'settings'>) =>
  settings.baseUrl ?? provider.baseUrl

/** Returns how the client shows itself; RFC 8414 section 2: by client_secret_basic where the provider does not say. */
function authenticationOf(library: typeof openid, isCustom: boolean, metadata: openid.ServerMetadata, secret: string) {
  if (!isCustom) return library.ClientSecretPost(secret)
  if (secret === '') return library.None()
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_post') ? library.ClientSecretPost(secret) : library.ClientSecretBasic(secret)
}

function refusalOf(error: unknown): ApiError {
  if (!(error instanceof DiscoveryError)) throw error
  return error.problem === 'unreachable'
    ? new ApiError('unavailable', { detail: 'The social provider cannot be reached at the moment.', cause: error })
    : new ApiError('provider_unusable', { cause: error })
}

/** How many are kept, over all tenants, and for how long: each has its secret. */
const clientsMax = 200
const clientsMs = 10 * 60_000
/** The clients of this process that were made before: each copies all that its provider says of itself. */
const clientsByEgress = new WeakMap<object, LRUCache<string, ProviderClient>>()

const newClients = () =>
  new LRUCache<string, ProviderClient>({ ...entriesAtMost(clientsMax), ttl: clientsMs, ttlResolution: 1000 })

function keptClients({ egress }: Deps): LRUCache<string, ProviderClient> {
  const clients = clientsByEgress.get(egress) ?? newClients()
  clientsByEgress.set(egress, clients)
  return clients
}

let loaded: Promise<typeof openid> | undefined

/** @throws ApiError provider_unusable; unavailable if the provider does not publish its endpoints. */
export async function openProviderClient(deps: Deps, settings: ProviderSettings): Promise<ProviderClient> {
  // Kept here, because asking for a module by `import` takes time even when it is loaded.
  const library = await (loaded ??= import('openid-client'))
  const provider = providerOf(settings)
  const isOpenId = provider.metadata === undefined
  const entry = isOpenId
    ? await discoverProvider(deps, settings.tenantId, placeOf({ provider, settings })).catch((error: unknown) => {
        throw refusalOf(error)
      })
    : undefined
  const metadata = entry?.metadata ?? provider.metadata?.(settings)
  if (metadata === undefined) throw new Error(`${settings.key} has no endpoints`)
  const { issuer } = metadata
  const secret = (await provider.makeSecret?.(settings, issuer, machineMs(deps.clock))) ?? settings.clientSecret
  const clients = keptClients(deps)
  const key = hash('sha256', JSON.stringify([settings, secret]))
  const known = clients.get(key)
  // What the provider says is read again from time to time, and makes another client then.
  if (known !== undefined && known.described === entry) return known
  const authentication = authenticationOf(library, settings.claims !== undefined, metadata, secret)
  const configuration = new library.Configuration(metadata, settings.clientId, undefined, authentication)
  configuration[library.customFetch] = fetchThrough(deps, settings.tenantId)
  // Each request has the time of `fetchThrough`.
  configuration.timeout = undefined
  // Plain http is only used on this machine; the egress guard refuses everything else.
  if (deps.config.env === 'development') library.allowInsecureRequests(configuration)
  if (isOpenId) library.enableNonRepudiationChecks(configuration)
  if (entry?.keys !== undefined) library.setJwksCache(configuration, entry.keys)
  const client = { provider, settings, library, configuration, issuer, isOpenId, described: entry }
  // A secret that is made for each request has another client each time.
  if (provider.makeSecret === undefined) clients.set(key, client)
  return client
}

export interface Challenge {
  readonly state: string
  readonly verifier: string
  readonly nonce: string
  readonly callbackUri: string
}

/** What a request adds to that of a sign-in. */
export interface AddedToRequest {
  readonly scopes?: readonly string[]
  readonly parameters?: Readonly<Record<string, string>>
}

export const signInScopes = ({ provider, settings }: ProviderClient): string[] => [
  ...new Set([...provider.scopes, ...settings.scopes]),
]

export function authorizeUri(
  client: ProviderClient,
  { state, verifier, nonce, callbackUri }: Challenge,
  loginHint?: string,
  { scopes = [], parameters }: AddedToRequest = {},
) {
  const { library, configuration, provider, isOpenId } = client
  const url = library.buildAuthorizationUrl(configuration, {
    ...provider.parameters,
    ...parameters,
    redirect_uri: callbackUri,
    scope: [...new Set([...signInScopes(client), ...scopes])].join(' '),
    state,
    // The library asks another thread for it.
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    ...(isOpenId ? { nonce } : {}),
    ...(loginHint === undefined ? {} : { login_hint: loginHint }),
  })
  return url.href
}

async function getJson({ library, configuration }: ProviderClient, accessToken: string, url: string): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json', 'user-agent': 'bailiwick' })
  const answer = await library.fetchProtectedResource(configuration, accessToken, new URL(url), 'GET', null, headers)
  if (!answer.ok) throw new Error(`the provider answered ${answer.status}`)
  return answer.json()
}

async function userInfo({ library, configuration }: ProviderClient, accessToken: string, subject: unknown) {
  if (configuration.serverMetadata().userinfo_endpoint === undefined || typeof subject !== 'string') return {}
  return recordOf(await library.fetchUserInfo(configuration, accessToken, subject))
}

async function grant(client: ProviderClient, parameters: URLSearchParams, challenge: Challenge): Promise<Granted> {
  const { library, configuration, isOpenId } = client
  const back = new URL(challenge.callbackUri)
  for (const name of ['code', 'state', 'iss', 'error']) {
    const value = parameters.get(name)
    if (value !== null) back.searchParams.set(name, value)
  }
  const tokens = await library.authorizationCodeGrant(configuration, back, {
    expectedState: challenge.state,
    pkceCodeVerifier: challenge.verifier,
    ...(isOpenId ? { expectedNonce: challenge.nonce, idTokenExpected: true } : {}),
  })
  const claims = isOpenId ? recordOf(tokens.claims()) : undefined
  return {
    tokens,
    claims,
    parameters,
    get: (url) => getJson(client, tokens.access_token, url),
    userInfo: () => userInfo(client, tokens.access_token, claims?.['sub']),
  }
}

/**
 * Redeems what the browser has brought from the provider, and reads from it who the user is.
 * @throws ApiError provider_refused, whatever is wrong: the reason is in the log.
 */
export async function redeem<User>(
  client: ProviderClient,
  parameters: URLSearchParams,
  challenge: Challenge,
  readUser: (granted: Granted) => Promise<User | undefined>,
): Promise<User> {
  const { library, configuration, described: entry } = client
  try {
    const user = await readUser(await grant(client, parameters, challenge))
    if (entry !== undefined) entry.keys = library.getJwksCache(configuration)
    if (user === undefined) throw new Error('the provider named nobody')
    return user
  } catch (cause) {
    throw new ApiError('provider_refused', { cause })
  }
}

/**
 * Returns the user with whom the browser returns from the provider.
 * @param keep returns what is kept of the tokens; undefined for a sign-in, which keeps none.
 * @throws ApiError provider_refused
 */
export async function identify(
  client: ProviderClient,
  parameters: URLSearchParams,
  challenge: Challenge,
  keep?: (tokens: Granted['tokens']) => GrantedTokens,
): Promise<Identity> {
  const { provider, settings, issuer } = client
  const user = await redeem(client, parameters, challenge, async (granted) => {
    const said = await provider.readUser(granted, settings)
    return said && { ...said, ...(keep === undefined ? {} : { tokens: keep(granted.tokens) }) }
  })
  const isEmailVerified = user.isEmailVerified && settings.isTrusted
  return { ...user, isEmailVerified, providerId: settings.id as SocialProviderId, providerKey: settings.key, issuer }
}
