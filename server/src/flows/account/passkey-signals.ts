// What the browser is told about the passkeys of the signed-in user, and whether it should offer one.
import type { PasskeySignals } from '@bailiwick/contract'
import { assertMayAddFirst } from '../../identity/authenticators/factor-changes.ts'
import { acceptedCredentials, userHandleOf } from '../../identity/authenticators/passkeys.ts'
import { hasRelyingParty, relyingPartyId } from '../../identity/authenticators/relying-party.ts'
import type { Deps } from '../../identity/deps.ts'
import { assertFresh } from '../../identity/sessions/fresh-session.ts'
import type { OwnCall } from '../../identity/sessions/own-call.ts'
import { accountLabel } from '../../identity/users/present.ts'
import { getUser } from '../../identity/users/users.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { fromJson } from '../../platform/json-text.ts'

/** Whether the session began with a password moments ago, and its user could add a passkey now. */
async function mayOffer(deps: Deps, call: OwnCall): Promise<boolean> {
  const { tenant, signedIn } = call
  const proven = signedIn.row.factors === null ? [] : fromJson(signedIn.row.factors)
  if (!tenant.auth.offerPasskeys || !proven.some((factor) => factor.endsWith('_password'))) return false
  try {
    assertFresh(deps, signedIn)
    await assertMayAddFirst(deps, call)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

export async function getPasskeySignals(deps: Deps, call: OwnCall): Promise<PasskeySignals> {
  const { tenant, tenantId, request, signedIn } = call
  const { user_id: userId, actor_type: actorType } = signedIn.row
  const isUsable = tenant.auth.strategySecurityKeyEnabled && hasRelyingParty(deps.config, tenant, request)
  // The password manager of somebody who acts as the user has nothing to know.
  if (!isUsable || actorType !== null) return { offered: false, signals: null }
  const rpId = relyingPartyId(deps.config, tenant, request)
  const [user, { ids, isFull }] = await Promise.all([
    getUser(deps, tenantId, userId),
    acceptedCredentials(deps.db, tenantId, userId, rpId),
  ])
  const name = accountLabel(user)
  return {
    offered: ids.length === 0 && !isFull && (await mayOffer(deps, call)),
    signals: {
      rpId,
      userId: userHandleOf(userId),
      allAcceptedCredentialIds: ids,
      name,
      displayName: user.row.name ?? name,
    },
  }
}
