// The password of the signed-in user, chosen by the user.
import type { EventDataByType } from '@bailiwick/contract'
import { mustUseConnection } from '../../enterprise/connections/sign-on-rules.ts'
import { canSignInWithout } from '../../identity/authenticators/can-sign-in-without.ts'
import { channelsOf } from '../../identity/authenticators/verified-contact.ts'
import type { Deps } from '../../identity/deps.ts'
import { clearPasswordFailures, takeTry } from '../../identity/lockout/lockout.ts'
import { endCodesOf } from '../../identity/one-time-codes/one-time-codes.ts'
import { checkPassword } from '../../identity/passwords/check-password.ts'
import { checkPasswordAnywhere } from '../../identity/passwords/former-system.ts'
import { assertNotReused, rememberPassword } from '../../identity/passwords/password-history.ts'
import { deletePassword, hasPassword, isPasswordUnchanged, setPassword } from '../../identity/passwords/passwords.ts'
import { chooserOf } from '../../identity/people/chooser.ts'
import { notifyUser } from '../../identity/security-notices/notices.ts'
import { assertFresh } from '../../identity/sessions/fresh-session.ts'
import { rotateToken } from '../../identity/sessions/rotate-token.ts'
import { endSessionsOf } from '../../identity/sessions/sessions.ts'
import { lockUser } from '../../identity/users/find-user.ts'
import { decidedTransaction } from '../../messaging/hooks/decisions.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { UserId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { removeEarlierWays, upgradeWithin } from '../sign-up/upgrade.ts'

export interface PasswordChange {
  readonly oldPassword?: string
  readonly password: string
}

/**
 * Changes the password of a user who gives the old one, or sets the first one in a fresh session. This session continues under another
 * token, the others end.
 * @returns the token, if tokens travel in the body.
 * @throws ApiError factor_refused, too_many_attempts, reauthentication_required; strategy_unavailable if passwords are off;
 * validation_failed for a password that is refused.
 */
export async function updateOwnPassword(deps: Deps, call: AnyCall, { oldPassword, password }: PasswordChange) {
  const { tenant, tenantId, signedIn } = call
  const { user_id: userId } = signedIn.row
  if (!tenant.auth.passwordsEnabled) throw new ApiError('strategy_unavailable')
  const version = (await hasPassword(deps.db, tenantId, userId)) ? await proveOld(deps, call, oldPassword) : undefined
  // Somebody who acts in the user's place does not know the password; a user without a password has nothing but the session to prove.
  if (version === undefined || signedIn.row.actor_type !== null) assertFresh(deps, signedIn)
  await checkPassword(deps, tenantId, password, { chosenBy: await chooserOf(deps.db, tenantId, userId) })
  await assertNotReused(deps, tenant.auth, { tenantId, userId }, password)
  const hash = await deps.passwordPool.hash(tenantId, password)
  const token = await decidedTransaction(deps, tenantId, (tx) => replace(deps, tx, call, version, hash))
  return call.reissueSessionToken(token)
}

/** @returns the version of the password that was right. */
async function proveOld(deps: Deps, call: AnyCall, oldPassword: string | undefined): Promise<string> {
  const { tenantId, signedIn } = call
  const { user_id: userId } = signedIn.row
  if (oldPassword === undefined) throw new ApiError('factor_refused')
  await takeTry(deps, { tenantId, subject: userId, device: call.heldHash('device') })
  const asking = {
    facts: { ip: call.ip, userAgent: call.ua },
    actor: call.actor(),
    isAskable: async (user: UserId) => !(await mustUseConnection(deps.db, call.tenant, user)),
  }
  const whose = { userId, identifierKey: userId }
  const { version } = await checkPasswordAnywhere(deps, call.tenant, whose, oldPassword, asking)
  if (version !== undefined) return version
  await deps.db.write(() => [event(deps, call, 'user.password_change_refused', {})])
  throw new ApiError('factor_refused')
}

const event = <Type extends 'user.password_changed' | 'user.password_change_refused' | 'user.password_removed'>(
  { clock, personal }: Deps,
  call: AnyCall,
  type: Type,
  data: EventDataByType[Type],
) =>
  eventStatement(clock, personal, {
    tenantId: call.tenantId,
    type,
    actor: call.actor(),
    subjectId: call.signedIn.row.user_id,
    data,
  })

async function replace(deps: Deps, tx: Transaction, call: AnyCall, version: string | undefined, hash: string) {
  const { tenantId, signedIn } = call
  const { user_id: userId, id: sessionId } = signedIn.row
  const user = await lockUser(tx, tenantId, userId)
  const token = await rotateToken(deps, tx, signedIn)
  const isSame =
    version === undefined
      ? !(await hasPassword(tx, tenantId, userId))
      : await isPasswordUnchanged(tx, tenantId, userId, version)
  if (user === undefined || !isSame) throw new ApiError('factor_refused')
  await removeEarlierWays(deps, tx, call)
  const [resetBy] = channelsOf(signedIn.row.factors === null ? [] : fromJson(signedIn.row.factors))
  await rememberPassword(tx, call.tenant.auth, { tenantId, userId })
  await tx.run(
    setPassword(tenantId, userId, { hash, at: deps.clock.now(), staysUnproven: version !== undefined, resetBy }),
  )
  await tx.run(clearPasswordFailures(tenantId, userId))
  await tx.run(endCodesOf(tenantId, userId))
  await endSessionsOf(deps, tx, tenantId, userId, call.actor(), sessionId)
  await tx.run(event(deps, call, 'user.password_changed', { mustChange: false }))
  // Without a username nobody could sign in with it.
  if (!(await upgradeWithin(deps, tx, call))) throw new ApiError('anonymous_user')
  await notifyUser(deps, tx, user, { type: 'password-changed', language: call.language })
  return token
}

/**
 * Removes the password of a user who can sign in without it. This session continues under another token, the others end, as after every
 * other change of a password.
 * @returns the token, if tokens travel in the body.
 * @throws ApiError reauthentication_required; last_way_in, also if the tenant requires a password; not_found if there is none.
 */
export async function deleteOwnPassword(deps: Deps, call: AnyCall) {
  const { tenant, tenantId, signedIn } = call
  const { user_id: userId, id: sessionId } = signedIn.row
  assertFresh(deps, signedIn)
  const token = await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, tenantId, userId)
    if (user === undefined || !(await hasPassword(tx, tenantId, userId))) throw notFound()
    const isRequired = tenant.auth.passwordsEnabled && tenant.auth.passwordRequired
    if (isRequired || !(await canSignInWithout(deps, tx, tenant, user, 'password'))) throw new ApiError('last_way_in')
    const rotated = await rotateToken(deps, tx, signedIn)
    await rememberPassword(tx, tenant.auth, { tenantId, userId })
    await tx.run(deletePassword(tenantId, userId))
    await tx.run(endCodesOf(tenantId, userId))
    await endSessionsOf(deps, tx, tenantId, userId, call.actor(), sessionId)
    await tx.run(event(deps, call, 'user.password_removed', {}))
    await notifyUser(deps, tx, user, { type: 'password-changed', language: call.language })
    return rotated
  })
  return call.reissueSessionToken(token)
}
