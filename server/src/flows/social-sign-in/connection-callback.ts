// The callback of an organization's connection: the state must have been made for this very connection, whose settings alone judge the
// answer. A state of one connection with the callback of another signs nobody in (Zitadel CVE-2026-109372).
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AttributesMissing } from '../../enterprise/connections/admit.ts'
import { findConnection } from '../../enterprise/connections/find-connection.ts'
import type { Deps } from '../../identity/deps.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { demandedAttributes } from '../../tenancy/tenants/attributes/values.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { personFromConnection } from '../providers/connection-client.ts'
import type { VerifiedPerson } from '../providers/provider.ts'
import { type StateRow, askingMs, challengeOf, issueTicket, keepPerson } from '../providers/states.ts'
import { enterpriseProof } from '../sign-in/enterprise-proof.ts'
import { enterpriseStrategy } from '../sign-in/strategies/enterprise.ts'
import { answerReturn, openState, pageOf, parametersOf } from './callback.ts'
import { finishConnectionTest, personOfResponse } from './connection-test.ts'
import { awaitedAttempt, redeemAnswer } from './finish.ts'

export const connectionCallbackPath = (id: string) => `/connections/${id}/callback`

/** @throws ApiError strategy_unavailable if the connection was switched off or removed while the browser was away; provider_refused */
async function verifiedPerson(deps: Deps, row: StateRow, parameters: URLSearchParams): Promise<VerifiedPerson> {
  const connection = await findConnection(deps.db, row.tenant_id, row.provider_id)
  if (connection?.state !== 'live') throw new ApiError('strategy_unavailable')
  if (connection.type === 'saml') return personOfResponse(deps, row)
  const challenge = challengeOf(deps, row, parameters.get('state') ?? '')
  const person = await personFromConnection(deps, connection, parameters, challenge)
  const { tenant_id, id, organization_id, settings, second_factor } = connection
  return { connection: { tenant_id, id, organization_id, settings, second_factor }, person }
}

/**
 * Signs the person in, or keeps who it is until the browser has sent what the tenant asks of new users.
 * @throws ApiError attempt_not_open, attempt_at_another_step, sign_in_disabled, connection_refused, factor_refused
 */
async function finish(deps: Deps, call: AnyCall, row: StateRow, verified: VerifiedPerson): Promise<void> {
  const attempt = await awaitedAttempt(deps, call, row)
  const proof = enterpriseProof(deps, call, attempt, verified)
  try {
    if (await redeemAnswer(deps, call, attempt, { strategy: enterpriseStrategy(deps), proof })) return
  } catch (error) {
    if (!(error instanceof AttributesMissing)) throw error
    return keepPerson(deps, row, verified, { flowId: attempt.id, flowHash: row.flow_hash })
  }
  throw new ApiError(proof.isRefused() ? 'connection_refused' : 'factor_refused')
}

const returning = (deps: Deps, id: string, parameters: URLSearchParams, state: StateRow | undefined) => ({
  path: connectionCallbackPath(id),
  parameters,
  row: state?.purpose === 'enterprise' && state.provider_id === id ? state : undefined,
  async finishWith(call: AnyCall, row: StateRow) {
    const verified = await verifiedPerson(deps, row, parameters)
    if (row.transport === 'body') {
      const isAsked = demandedAttributes(call.tenant.attributes).length > 0
      return pageOf(row, {}, await issueTicket(deps, row, verified, isAsked ? askingMs : undefined))
    }
    await finish(deps, call, row, verified)
    return pageOf(row, {})
  },
})

/** @throws ApiError oauth_state_invalid, redirect_refused */
export async function answerConnectionCallback(deps: Deps, id: string, request: FastifyRequest, reply: FastifyReply) {
  const parameters = parametersOf(request.query)
  const state = await openState(deps, parameters)
  if (state?.purpose !== 'enterprise_test' || state.provider_id !== id)
    return answerReturn(deps, returning(deps, id, parameters, state), request, reply)
  return reply.redirect(await finishConnectionTest(deps, state, parameters), 303)
}
