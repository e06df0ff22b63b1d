// The assertion consumer service: takes the response that a SAML provider has a browser post. The RelayState names the state, and only that: where
// the browser continues was decided when it left.
import { tokenPrefixes } from '@bailiwick/contract'
import { refusalStatement } from '../../enterprise/connections/admit.ts'
import { type ConnectionRow, findConnection } from '../../enterprise/connections/find-connection.ts'
import { insertUse, isUsedBefore } from '../../enterprise/saml/seen-assertions.ts'
import type { Deps } from '../../identity/deps.ts'
import { hasValidChecksum } from '../../platform/crypto/tokens.ts'
import { NothingChanged } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { frontendBaseUrl } from '../../tenancy/tenants/env.ts'
import { type SamlAnswer, readSamlAnswer, verifiedBySaml } from '../providers/saml-client.ts'
import { type StateRow, challengeOf, selectOpenState, updateOutcome } from '../providers/states.ts'
import { acceptArrival } from './arrival.ts'
import { connectionCallbackPath } from './connection-callback.ts'

interface Place {
  readonly tenantId: string
  readonly connectionId: string
}

/**
 * Returns an open state and its connection.
 * @throws ApiError oauth_state_invalid for a state that is not open, or of another connection; strategy_unavailable if that is gone.
 */
async function findState({ db, clock }: Deps, place: Place, relayState: string) {
  if (!hasValidChecksum(relayState)) throw new ApiError('oauth_state_invalid')
  const [state, connection] = await Promise.all([
    selectOpenState(db, relayState, clock.now()),
    findConnection(db, place.tenantId as TenantId, place.connectionId),
  ])
  const isSignIn = state?.purpose === 'enterprise' || state?.purpose === 'enterprise_test'
  if (!isSignIn || state.tenant_id !== place.tenantId || state.provider_id !== place.connectionId)
    throw new ApiError('oauth_state_invalid')
  if (connection?.type !== 'saml') throw new ApiError('strategy_unavailable')
  return { state, connection }
}

/**
 * Keeps the outcome of the first response to a state; a later one, and an assertion that was used before, change nothing.
 * @throws ApiError oauth_state_invalid if there is an outcome already.
 */
async function keep(
  deps: Deps,
  state: StateRow,
  connection: ConnectionRow,
  answer: SamlAnswer,
  actor: Actor,
): Promise<void> {
  const isPerson = 'person' in answer
  const outcome = isPerson ? verifiedBySaml(connection, answer) : answer
  const others = (): Statement[] => {
    if (isPerson) return [insertUse(connection, answer.assertion)]
    // A test has a report, and refuses nobody.
    const isTest = state.purpose === 'enterprise_test'
    return isTest ? [] : [refusalStatement(deps, connection, answer.reason, { email: null, actor })]
  }
  try {
    await deps.db.write(() => [...others(), updateOutcome(deps, state, outcome)], { mustChange: true })
  } catch (error) {
    if (error instanceof NothingChanged) throw new ApiError('oauth_state_invalid')
    if (!isUsedBefore(error)) throw error
    const repeated = { reason: 'repeated', message: 'The assertion has been used before.' } as const
    await keep(deps, state, connection, repeated, actor)
  }
}

/**
 * Returns the address at which the browser continues.
 * @throws ApiError oauth_state_invalid, strategy_unavailable
 */
export async function acceptSamlResponse(deps: Deps, place: Place, form: URLSearchParams, actor: Actor) {
  const [relayState, ...others] = form.getAll('RelayState')
  const [samlResponse, ...more] = form.getAll('SAMLResponse')
  if (samlResponse === undefined || others.length + more.length > 0) throw new ApiError('oauth_state_invalid')
  // Whatever else is in the RelayState of a sign-in that began at the provider counts for nothing.
  if (relayState?.startsWith(tokenPrefixes.providerState) !== true)
    return acceptArrival(deps, place, samlResponse, actor)
  const { state, connection } = await findState(deps, place, relayState)
  const { nonce } = challengeOf(deps, state, relayState)
  await keep(deps, state, connection, await readSamlAnswer(deps, connection, samlResponse, nonce), actor)
  const path = connectionCallbackPath(connection.id)
  return `${frontendBaseUrl(deps.config.baseUrl)}${path}?state=${encodeURIComponent(relayState)}`
}
