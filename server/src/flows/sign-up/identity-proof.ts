// A provider's answer as the proof of a first factor. The transaction that uses it decides whose it is.
import type { SignInAttemptRow } from '../../identity/attempts/tables.ts'
import type { Deps } from '../../identity/deps.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { UserId } from '../../platform/ids.ts'
import type { AnyCall, Proof } from '../frontend/flow.ts'
import type { Identity } from '../providers/provider.ts'
import { resolveIdentity } from '../providers/resolve-identity.ts'
import { createUserOfIdentity } from './social-sign-up.ts'

/** @param take uses up the state or ticket that carried the identity; returns false if it was used already. */
export function proofOf(
  deps: Deps,
  call: AnyCall,
  attempt: SignInAttemptRow,
  identity: Identity,
  take: (tx: Transaction) => Promise<boolean> = async () => true,
): Proof {
  const { tenant, tenantId } = call
  let userId: UserId | undefined
  return {
    get userId() {
      return userId
    },
    async confirm(tx) {
      // An attempt that has been begun again with another provider no longer accepts this one.
      if (attempt.oauth_provider_id !== identity.providerId || !tenant.auth.strategyOAuthEnabled) {
        throw new ApiError('strategy_unavailable')
      }
      if (!tenant.auth.signInEnabled) throw new ApiError('sign_in_disabled')
      if (!(await take(tx))) return false
      userId = await resolveIdentity(deps, tx, tenantId, identity, {
        actorOf: (id) => call.actor(id),
        makeUser: (transaction) => createUserOfIdentity(deps, transaction, call, identity),
      })
      return userId !== undefined
    },
  }
}
