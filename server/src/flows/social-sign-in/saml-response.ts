// The assertion consumer service: takes the response that a SAML provider has a browser post. The RelayState names the state, and only that: where
// the browser continues was decided when it left.
import { tokenPrefixes } from '@bailiwick/contract'
import { recordRefusal } from '../../enterprise/connections/admit.ts'
import { type ConnectionRow, findConnection } from '../../enterprise/connections/find-connection.ts'
import { useAssertion } from '../../enterprise/saml/seen-assertions.ts'
import type { Deps } from '../../identity/deps.ts'
import { hasValidChecksum } from '../../platform/crypto/tokens.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { frontendBaseUrl } from '../../tenancy/tenants/env.ts'
import { type SamlAnswer, readSamlAnswer, verifiedBySaml } from '../providers/saml-client.ts'
import { type SamlOutcome, type StateRow, challengeOf, keepOutcome, selectOpenState } from '../providers/states.ts'
import { acceptArrival } from './arrival.ts'
import { connectionCallbackPath } from './connection-callback.ts'

interface Place {
  readonly tenantId: string
  readonly connectionId: string
}

/** @throws ApiError oauth_state_invalid for a state that is not open, or of another connection. */
async function findState({ db, clock }: Deps, place: Place, relayState: string): Promise<StateRow> {
  const isState = relayState.startsWith(tokenPrefixes.providerState) && hasValidChecksum(relayState)
  const row = isState ? await selectOpenState(db, relayState, clock.now()) : undefined
  const isSignIn = row?.purpose === 'enterprise' || row?.purpose === 'enterprise_test'
  if (!isSignIn || row.tenant_id !== place.tenantId || row.provider_id !== place.connectionId)
    throw new ApiError('oauth_state_invalid')
  return row
}

/** Keeps the outcome of the first response to a state; a later one, and an assertion that was used before, change nothing. */
async function keep(deps: Deps, state: StateRow, connection: ConnectionRow, answer: SamlAnswer, actor: Actor) {
  await deps.db.transaction(async (tx) => {
    let outcome: SamlOutcome
    if ('person' in answer) {
      const isFirst = await useAssertion(tx, connection, answer.assertion)
      outcome = isFirst
        ? verifiedBySaml(connection, answer)
        : { reason: 'repeated', message: 'The assertion has been used before.' }
    } else outcome = answer
    if (!(await keepOutcome(deps, tx, state, outcome))) throw new ApiError('oauth_state_invalid')
    // A test has a report, and refuses nobody.
    if ('reason' in outcome && state.purpose === 'enterprise')
      await recordRefusal(deps, tx, connection, outcome.reason, { email: null, actor })
  })
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
  const state = await findState(deps, place, relayState)
  const connection = await findConnection(deps.db, state.tenant_id, state.provider_id)
  if (connection?.type !== 'saml') throw new ApiError('strategy_unavailable')
  const { nonce } = challengeOf(deps, state, relayState)
  await keep(deps, state, connection, await readSamlAnswer(deps, connection, samlResponse, nonce), actor)
  const path = connectionCallbackPath(connection.id)
  return `${frontendBaseUrl(deps.config.baseUrl)}${path}?state=${encodeURIComponent(relayState)}`
}
