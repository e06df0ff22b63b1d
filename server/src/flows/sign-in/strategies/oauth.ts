// A social provider. A browser signs in when it returns from there; an app receives a ticket from the returning browser and sends it.
import type { Deps } from '../../../identity/deps.ts'
import { ApiError, invalid } from '../../../platform/http/api-error.ts'
import type { Strategy } from '../../frontend/flow.ts'
import { leaveForProvider, returnUriOf } from '../../providers/authorization.ts'
import { isAuthenticating, usableProvider } from '../../providers/resolve-identity.ts'
import { findTicket, identityOf, useTicket } from '../../providers/states.ts'
import { proofOf } from '../../sign-up/identity-proof.ts'
import { hashOfBrowser } from '../attempt-store.ts'

export const oauthStrategy = (deps: Deps): Strategy => ({
  name: 'oauth',
  async leave(flow, { redirectUri }) {
    const { call, tenantId, attempt } = flow
    if (attempt.oauth_provider_id === null) throw invalid('/providerKey', 'required', 'is required for this strategy')
    const provider = await usableProvider(deps.db, tenantId, attempt.oauth_provider_id)
    if (!isAuthenticating(provider)) throw new ApiError('strategy_unavailable')
    const returnUri = returnUriOf(deps, call, redirectUri ?? attempt.redirect_uri)
    return leaveForProvider(deps, call, provider, {
      purpose: 'sign_in',
      flowId: attempt.id,
      flowHash: hashOfBrowser(flow),
      userId: null,
      returnUri,
    })
  },
  async attempt({ call, tenantId, attempt, identifier }, { code }) {
    if (code === undefined) throw invalid('/code', 'required', 'is required for this strategy')
    // The ticket names the user; another user's name beside it would only reset that user's failures.
    if (identifier !== undefined) throw new ApiError('strategy_unavailable')
    const place = { tenantId, purpose: 'sign_in', flowId: attempt.id, flowHash: call.heldHash('flow') } as const
    const state = await findTicket(deps, place, code)
    const identity = state && identityOf(deps, state)
    if (state === undefined || identity === undefined) return undefined
    return proofOf(deps, call, attempt, identity, (tx) => useTicket(tx, state))
  },
})
