// The way to a provider: what the browser is sent with, and what of it is kept to know it again by.
import type { ProviderKey } from '@bailiwick/contract'
import { newToken } from '../../platform/crypto/tokens.ts'
import type { Deps } from '../../identity/deps.ts'
import { destinationOf } from '../frontend/destinations.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AnyCall } from '../sign-in/flow.ts'
import { type SocialProviderRow, findEnabledProviderByKey } from '../../tenancy/social-providers/find-provider.ts'
import { frontendBaseUrl } from '../../tenancy/tenants/env.ts'
import { hostedRoot } from '../../tenancy/tenants/hosted-pages.ts'
import { authorizeUri, openProviderClient } from './provider-client.ts'
import { settingsOf } from './provider-settings.ts'
import { type NewState, insertState, newState } from './states.ts'

/** @throws ApiError strategy_unavailable for one that the tenant has not, or has switched off. */
export async function enabledProvider(
  { db }: Deps,
  { tenantId }: AnyCall,
  key: ProviderKey,
): Promise<SocialProviderRow> {
  const row = await findEnabledProviderByKey(db, tenantId, key)
  if (row === undefined) throw new ApiError('strategy_unavailable')
  return row
}

/**
 * The page that the browser comes back to: the one that was asked for, else the tenant's own, else the hosted one.
 * @throws ApiError redirect_refused
 */
export const returnUriOf = (deps: Deps, call: AnyCall, wanted: string | null | undefined): string =>
  destinationOf(deps, call, wanted, 'signInUri', 'homeUri') ??
  `${hostedRoot(deps.config, call.tenant, call.ownHost)}/return`

export const callbackPath = (key: string) => `/oauth/callback/${key}`

/** The address that is registered at the provider: the tenant's, which its own domain may have, or the deployment's. */
function callbackUriOf({ config }: Deps, call: AnyCall, provider: SocialProviderRow): string {
  if (provider.redirect_uri !== null) return provider.redirect_uri
  const isOwnClient = provider.use_custom_credentials === 1
  const host = call.ownHost
  const base = host !== null && isOwnClient ? frontendBaseUrl(`https://${host}`) : frontendBaseUrl(config.baseUrl)
  return base + callbackPath(provider.provider_key)
}

type Beginning = Pick<NewState, 'purpose' | 'flowId' | 'flowHash' | 'userId' | 'returnUri'>

/**
 * Where the browser goes to sign in at the provider.
 * @throws ApiError provider_unusable, unavailable
 */
export async function beginAuthorization(
  deps: Deps,
  call: AnyCall,
  provider: SocialProviderRow,
  beginning: Beginning,
): Promise<string> {
  const client = await openProviderClient(deps, settingsOf(deps, provider))
  const challenge = {
    state: newState(),
    verifier: client.library.randomPKCECodeVerifier(),
    nonce: newToken('on_'),
    callbackUri: callbackUriOf(deps, call, provider),
  }
  const uri = await authorizeUri(client, challenge)
  const { tenantId, transport, ownHost } = call
  await deps.db.transaction((tx) =>
    insertState(
      deps,
      tx,
      {
        ...beginning,
        tenantId,
        providerId: provider.id,
        providerKey: provider.provider_key,
        transport,
        ownHost,
        callbackUri: challenge.callbackUri,
      },
      challenge,
    ),
  )
  return uri
}
