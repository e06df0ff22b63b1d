// Signing in at the OpenID provider of an organization: the way there, and who the provider says has come back.
import { tokenPrefixes } from '@bailiwick/contract'
import { type AssertedPerson, assertedPerson } from '../../enterprise/connections/asserted-person.ts'
import { openConnectionSecret } from '../../enterprise/connections/connection-secret.ts'
import type { ConnectionRow } from '../../enterprise/connections/find-connection.ts'
import { callbackUri, oidcSettings } from '../../enterprise/connections/present.ts'
import type { Deps } from '../../identity/deps.ts'
import { newToken } from '../../platform/crypto/tokens.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { AnyCall, Departure } from '../frontend/flow.ts'
import { type Challenge, authorizeUri, openProviderClient, redeem } from './provider-client.ts'
import type { Granted, ProviderSettings } from './provider.ts'
import { samlRequest } from './saml-client.ts'
import { type NewState, newState, stateStatements } from './states.ts'

function settingsOf({ sealer }: Deps, row: ConnectionRow): ProviderSettings {
  const { issuer, clientId, scopes } = oidcSettings(row)
  return {
    id: row.id,
    tenantId: row.tenant_id,
    key: 'custom-enterprise',
    baseUrl: issuer,
    scopes,
    isTrusted: false,
    claims: { email: 'email', emailVerified: 'email_verified', name: 'name' },
    clientId,
    clientSecret: openConnectionSecret(sealer, row) ?? '',
    teamId: undefined,
    keyId: undefined,
  }
}

type Beginning = Pick<NewState, 'purpose' | 'flowId' | 'flowHash' | 'userId' | 'returnUri'> & {
  readonly loginHint: string | undefined
}

async function authorizationRequest(deps: Deps, row: ConnectionRow, loginHint: string | undefined) {
  const client = await openProviderClient(deps, settingsOf(deps, row))
  const challenge: Challenge = {
    state: newState(row.tenant_id),
    verifier: client.library.randomPKCECodeVerifier(),
    nonce: newToken(tokenPrefixes.providerNonce),
    callbackUri: callbackUri(deps.config, row.id),
  }
  return { uri: authorizeUri(client, challenge, loginHint), challenge }
}

/**
 * Sends a browser to the provider's address at which it signs in. Redirect address, state, nonce and verifier are this connection's alone.
 * @throws ApiError provider_unusable, unavailable
 */
export async function leaveForConnection(
  deps: Deps,
  { tenantId, transport, ownHost }: Pick<AnyCall, 'tenantId' | 'transport' | 'ownHost'>,
  row: ConnectionRow,
  { loginHint, ...beginning }: Beginning,
): Promise<Departure> {
  const { uri, challenge } =
    row.type === 'saml' ? await samlRequest(deps, row) : await authorizationRequest(deps, row, loginHint)
  const place = { tenantId, providerId: row.id, providerKey: 'enterprise', transport, ownHost } as const
  const state = { ...beginning, ...place, callbackUri: challenge.callbackUri }
  return { authorizeUri: uri, statements: stateStatements(deps, state, challenge) }
}

/**
 * Reads who somebody is. What the ID token lacks is asked of the userinfo endpoint; an address and the claim that it is verified never come
 * from different ones.
 */
async function readPerson(row: ConnectionRow, named: readonly string[], { claims = {}, userInfo }: Granted) {
  const { claims: names } = oidcSettings(row)
  const compared = [...fromJson(row.role_rules), ...fromJson(row.attribute_mappings)].flatMap(
    ({ claim }) => claim ?? [],
  )
  const needed = [names.email, ...compared, ...named]
  const isWhole = needed.every((name) => claims[name] !== undefined)
  const info = isWhole ? {} : await userInfo()
  const isInToken = claims[names.email] !== undefined
  const all = { ...info, ...claims }
  const verified = (isInToken ? claims : info)['email_verified']
  return assertedPerson({
    subject: claims['sub'],
    email: all[names.email],
    isEmailUnverified: verified === false || verified === 'false',
    name: all[names.name],
    givenName: all[names.givenName],
    familyName: all[names.familyName],
    claims: all,
  })
}

/**
 * Returns the person with whom the browser returns from the provider.
 * @throws ApiError provider_refused, whatever is wrong: the reason is in the log.
 */
export async function personFromConnection(
  deps: Deps,
  row: ConnectionRow,
  parameters: URLSearchParams,
  challenge: Challenge,
): Promise<AssertedPerson> {
  const client = await openProviderClient(deps, settingsOf(deps, row))
  const named = (await deps.tenants.byId(row.tenant_id))?.claims?.idpClaims ?? []
  return redeem(client, parameters, challenge, (granted) => readPerson(row, named, granted))
}
