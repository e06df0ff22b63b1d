// The connection of an organization. A browser signs in when it returns from there, or once it has sent what the tenant asks of new users; an
// app receives a ticket from the returning browser and sends it.
import { valuesOfClaims } from '../../../enterprise/connections/attribute-mappings.ts'
import { findConnection } from '../../../enterprise/connections/find-connection.ts'
import type { Deps } from '../../../identity/deps.ts'
import { ApiError, invalid } from '../../../platform/http/api-error.ts'
import { demandedAttributes, isLacking, valuesIn, withOwnValues } from '../../../tenancy/tenants/attributes/values.ts'
import type { AnyCall, Strategy } from '../../frontend/flow.ts'
import { returnUriOf } from '../../providers/authorization.ts'
import { leaveForConnection } from '../../providers/connection-client.ts'
import { findKeptPerson, findTicket, openPerson, useTicket } from '../../providers/states.ts'
import { type FlowRow, hashOfBrowser } from '../attempt-store.ts'
import { enterpriseProof } from '../enterprise-proof.ts'

export const enterpriseStrategy = (deps: Deps): Strategy => ({
  name: 'enterprise',
  async leave(flow, { redirectUri }) {
    const { call, attempt, connection } = flow
    if (connection === undefined) throw new ApiError('strategy_unavailable')
    return leaveForConnection(deps, call, connection, {
      purpose: 'enterprise',
      flowId: attempt.id,
      flowHash: hashOfBrowser(flow),
      userId: null,
      returnUri: returnUriOf(deps, call, redirectUri ?? attempt.redirect_uri),
      loginHint: attempt.identifier ?? undefined,
    })
  },
  async attempt({ call, tenantId, attempt }, { code, attributes = {} }) {
    const place = { tenantId, purpose: 'enterprise', flowId: attempt.id, flowHash: call.heldHash('flow') } as const
    const state = await (code === undefined ? findKeptPerson(deps, place) : findTicket(deps, place, code))
    if (state === undefined && code === undefined) throw invalid('/code', 'required', 'is required for this strategy')
    const verified = state && openPerson(deps, state)
    if (state === undefined || verified === undefined) return undefined
    const values = withOwnValues(call.tenant.attributes, {}, valuesIn(attributes))
    return enterpriseProof(deps, call, attempt, verified, (tx) => useTicket(tx, state), values)
  },
})

/** Returns what the tenant asks of a new user whom the organization's provider has sent back to this browser. */
export async function findMissingFields(deps: Deps, call: AnyCall, row: FlowRow) {
  const isOpen = row.status === 'needs_identifier' || row.status === 'needs_factor_one'
  const demanded = isOpen && row.oauth_provider_id !== null ? demandedAttributes(call.tenant.attributes) : []
  if (demanded.length === 0) return {}
  const place = { tenantId: call.tenantId, flowId: row.id, flowHash: call.heldHash('flow') }
  const state = await findKeptPerson(deps, place)
  const kept = state && openPerson(deps, state)
  const connection = kept && (await findConnection(deps.db, call.tenantId, kept.connection.id))
  if (kept === undefined || connection === undefined) return {}
  const { values } = valuesOfClaims(call.tenant.attributes, connection, kept.person.claims)
  const lacking = demanded.filter((attribute) => isLacking(attribute, values))
  return { missingFields: lacking.map(({ key }) => `attributes/${key}`) }
}
