// The redirect to a provider: what the browser is sent with, and what is stored to recognise it when it returns.
import { type AnyProviderKey, tokenPrefixes } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { newToken } from '../../platform/crypto/tokens.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import {
  type FoundProvider,
  findEnabledProviderByKey,
  isCustomProvider,
} from '../../tenancy/social-providers/find-provider.ts'
import { frontendBaseUrl } from '../../tenancy/tenants/env.ts'
import { hostedRoot } from '../../tenancy/tenants/hosted-pages.ts'
import { destinationOf } from '../frontend/destinations.ts'
import type { AnyCall, Departure } from '../frontend/flow.ts'
import { authorizeUri, openProviderClient } from './provider-client.ts'
import { settingsOf } from './provider-settings.ts'
import { accessRequest } from './provider-tokens.ts'
import { type NewState, newState, stateStatements } from './states.ts'

/** @throws ApiError strategy_unavailable for a provider that the tenant does not have, or has switched off. */
export async function enabledProvider(
  { db }: Deps,
  { tenantId }: AnyCall,
  key: AnyProviderKey,
): Promise<FoundProvider> {
  const row = await findEnabledProviderByKey(db, tenantId, key)
  if (row === undefined) throw new ApiError('strategy_unavailable')
  return row
}

/**
 * Returns the page that the browser returns to: the one that was asked for, else the tenant's own, else the hosted one.
 * @throws ApiError redirect_refused
 */
export const returnUriOf = (deps: Deps, call: AnyCall, wanted: string | null | undefined): string =>
  destinationOf(deps, call, wanted, 'signInUri', 'homeUri') ??
  `${hostedRoot(deps.config, call.tenant, call.ownHost)}/return`

export const callbackPath = (key: string) => `/oauth/callback/${key}`

/** Returns the address that is registered at the provider: the tenant's, which may be on its own domain, or the deployment's. */
function callbackUriOf({ config }: Deps, call: AnyCall, provider: FoundProvider): string {
  if (provider.redirect_uri !== null) return provider.redirect_uri
  const isOwnClient = isCustomProvider(provider) || provider.use_custom_credentials === 1
  const host = call.ownHost
  const base = host !== null && isOwnClient ? frontendBaseUrl(`https://${host}`) : frontendBaseUrl(config.baseUrl)
  return base + callbackPath(provider.provider_key)
}

type Beginning = Pick<NewState, 'purpose' | 'flowId' | 'flowHash' | 'userId' | 'returnUri' | 'accessScopes'>

/**
 * Sends a browser to the provider's address at which it signs in.
 * @throws ApiError provider_unusable, unavailable
 */
export async function leaveForProvider(
  deps: Deps,
  call: AnyCall,
  provider: FoundProvider,
  beginning: Beginning,
): Promise<Departure> {
  const client = await openProviderClient(deps, settingsOf(deps, provider))
  const challenge = {
    state: newState(call.tenantId),
    verifier: client.library.randomPKCECodeVerifier(),
    nonce: newToken(tokenPrefixes.providerNonce),
    callbackUri: callbackUriOf(deps, call, provider),
  }
  const { accessScopes } = beginning
  const added = accessScopes && accessRequest(client, accessScopes)
  const { tenantId, transport, ownHost } = call
  const place = { tenantId, providerId: provider.id, providerKey: provider.provider_key, transport, ownHost }
  const state = { ...beginning, ...place, callbackUri: challenge.callbackUri }
  return {
    authorizeUri: authorizeUri(client, challenge, undefined, added),
    statements: stateStatements(deps, state, challenge),
  }
}
