// The connection of an organization. A browser signs in when it returns from there; an app receives a ticket from the returning browser and
// sends it.
import { findConnection } from '../../../enterprise/connections/find-connection.ts'
import type { Deps } from '../../../identity/deps.ts'
import { ApiError, invalid } from '../../../platform/http/api-error.ts'
import type { Strategy } from '../../frontend/flow.ts'
import { returnUriOf } from '../../providers/authorization.ts'
import { beginAtConnection } from '../../providers/connection-client.ts'
import { findTicket, openPerson, useTicket } from '../../providers/states.ts'
import { selectFlowHash } from '../attempt-store.ts'
import { enterpriseProof } from '../enterprise-proof.ts'

export const enterpriseStrategy = (deps: Deps): Strategy => ({
  name: 'enterprise',
  async prepare({ call, tenantId, attempt }, { redirectUri }) {
    const connection = await findConnection(deps.db, tenantId, attempt.oauth_provider_id ?? '')
    if (connection?.state !== 'live') throw new ApiError('strategy_unavailable')
    const authorizeUri = await beginAtConnection(deps, call, connection, {
      purpose: 'enterprise',
      flowId: attempt.id,
      flowHash: await selectFlowHash(deps.db, attempt),
      userId: null,
      returnUri: returnUriOf(deps, call, redirectUri ?? attempt.redirect_uri),
      loginHint: attempt.identifier ?? undefined,
    })
    return { authorizeUri }
  },
  async attempt({ call, tenantId, attempt }, { code }) {
    if (code === undefined) throw invalid('/code', 'required', 'is required for this strategy')
    const place = { tenantId, purpose: 'enterprise', flowId: attempt.id, flowHash: call.heldHash('flow') } as const
    const state = await findTicket(deps, place, code)
    const verified = state && openPerson(deps, state)
    if (state === undefined || verified === undefined) return undefined
    return enterpriseProof(deps, call, attempt, verified, (tx) => useTicket(tx, state))
  },
})
