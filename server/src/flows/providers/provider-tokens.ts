// Tokens that a provider issues for access that a tenant keeps: requested, read, refreshed and revoked.
import type * as openid from 'openid-client'
import type { Deps } from '../../identity/deps.ts'
import type { GrantedTokens, KeptTokens } from '../../identity/provider-tokens/provider-tokens.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { type AddedToRequest, type ProviderClient, signInScopes } from './provider-client.ts'

const timeoutMs = 10_000
const responseBytesMax = 64 * 1024
/** A token that expires within this time, or has half of its life behind it, is refreshed. */
const spareMs = 60_000
/** Whatever a provider says: ten years, and a page of scopes. */
const secondsMax = 10 * 365 * 24 * 60 * 60
const scopesMax = 100

type Answer = openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers

/** GitHub and Facebook separate scopes by commas. */
const scopesIn = (text: string) =>
  [...new Set(text.split(/[ ,]/).filter((scope) => scope !== '' && scope.length <= 256))].slice(0, scopesMax)

/** GitHub names no scopes for its apps, which have permissions instead. */
const isNamed = (scope: string | undefined): scope is string => scope !== undefined && scope.trim() !== ''

/**
 * Returns what a provider has granted.
 * @param scopes what was requested: a provider need not repeat it (RFC 6749 section 5.1).
 */
export function grantedTokens(
  { clock }: Pick<Deps, 'clock'>,
  answer: Answer,
  scopes: readonly string[],
): GrantedTokens {
  const seconds = answer.expiresIn()
  const lastsMs = seconds === undefined ? undefined : Math.floor(Math.min(seconds, secondsMax)) * 1000
  const after = (ms: number) => addMilliseconds(clock.now(), ms)
  return {
    accessToken: answer.access_token,
    tokenType: answer.token_type,
    refreshToken: answer.refresh_token ?? null,
    scopes: isNamed(answer.scope) ? scopesIn(answer.scope) : scopes,
    expiresAt: lastsMs === undefined ? null : after(lastsMs),
    refreshAt: lastsMs === undefined ? null : after(lastsMs - Math.min(spareMs, lastsMs / 2)),
  }
}

/** Returns what is kept of the answer to a request for access with these scopes. */
export const keepTokens = (deps: Pick<Deps, 'clock'>, client: ProviderClient, accessScopes: readonly string[]) => {
  const requested = [...new Set([...signInScopes(client), ...accessScopes])]
  return (answer: Answer) => grantedTokens(deps, answer, requested)
}

/** What a request for access that is kept adds to that of a sign-in. OpenID Connect Core 1.0 section 11 needs prompt=consent. */
export function accessRequest(
  { provider, configuration }: ProviderClient,
  accessScopes: readonly string[],
): AddedToRequest {
  if (provider.accessParameters !== undefined) return { scopes: accessScopes, parameters: provider.accessParameters }
  const isOffline = configuration.serverMetadata().scopes_supported?.includes('offline_access') === true
  return isOffline
    ? { scopes: [...accessScopes, 'offline_access'], parameters: { prompt: 'consent' } }
    : { scopes: accessScopes, parameters: {} }
}

/** RFC 6749 section 5.2. GitHub reports it as bad_refresh_token, in an answer with the status 200. */
const refusals: readonly unknown[] = ['invalid_grant', 'bad_refresh_token']

function isRefusal(error: unknown): boolean {
  const { error: code, cause } = (error ?? {}) as { readonly error?: unknown; readonly cause?: unknown }
  const { body } = (cause ?? {}) as { readonly body?: { readonly error?: unknown } }
  return refusals.includes(code) || refusals.includes(body?.error) || (cause !== undefined && isRefusal(cause))
}

const isClientRefused = (error: unknown) =>
  ['invalid_client', 'unauthorized_client'].includes(String((error as { readonly error?: unknown } | null)?.error))

/**
 * Returns new tokens; undefined if the provider no longer accepts the refresh token.
 * @throws ApiError provider_unusable if it does not accept the client; unavailable for any other failure.
 */
export async function refreshTokens(
  deps: Pick<Deps, 'clock'>,
  { library, configuration }: ProviderClient,
  refreshToken: string,
  scopes: readonly string[],
): Promise<GrantedTokens | undefined> {
  try {
    const answer = await library.refreshTokenGrant(configuration, refreshToken)
    const granted = grantedTokens(deps, answer, scopes)
    return { ...granted, refreshToken: granted.refreshToken ?? refreshToken }
  } catch (cause) {
    if (isRefusal(cause)) return undefined
    if (isClientRefused(cause)) throw new ApiError('provider_unusable', { cause })
    throw new ApiError('unavailable', {
      detail: 'The social provider did not return a token. Try again shortly.',
      cause,
    })
  }
}

/** Revokes tokens where the provider has a way to. With the refresh token, RFC 7009 ends what was issued with it, too. */
export async function revokeTokens(
  { egress }: Pick<Deps, 'egress'>,
  { library, configuration, provider, settings }: ProviderClient,
  { accessToken, refreshToken }: KeptTokens,
): Promise<void> {
  const own = provider.revocation?.(settings, accessToken)
  if (own !== undefined) {
    const { url, headers, body } = own
    const { status } = await egress.request(url, {
      tenantId: settings.tenantId,
      method: 'DELETE',
      headers: { accept: 'application/json', 'user-agent': 'bailiwick', ...headers },
      ...(body === undefined ? {} : { body }),
      timeoutMs,
      responseBytesMax,
    })
    // A token that the provider no longer knows is as good as revoked.
    if (status >= 500 || status === 429) throw new Error(`the provider answered ${status}`)
    return
  }
  if (configuration.serverMetadata().revocation_endpoint === undefined) return
  const token = refreshToken ?? accessToken
  await library.tokenRevocation(configuration, token, {
    token_type_hint: refreshToken === null ? 'access_token' : 'refresh_token',
  })
}
