// Anonymous users who become real ones and keep their id: by a sign-up in their session, or by a way to sign in that they add to their account.
// Who may sign up is decided by the same rules as for everybody else. A session that somebody else may have planted in the browser ends.
import { assertMaySignUp } from '../../enterprise/connections/sign-on-rules.ts'
import { canSignIn } from '../../identity/authenticators/can-sign-in-without.ts'
import { signInRules } from '../../identity/authenticators/factor-rules.ts'
import { authenticatorsOf } from '../../identity/authenticators/present.ts'
import type { Deps } from '../../identity/deps.ts'
import { endCodesOf } from '../../identity/one-time-codes/one-time-codes.ts'
import { endUnprovenAccess } from '../../identity/people/unproven-access.ts'
import { findLiveSession, endSessionsOf } from '../../identity/sessions/sessions.ts'
import { selectConnectionsOf } from '../../identity/social-connections/connections.ts'
import { deleteCandidatesOf } from '../../identity/users/contact-candidates.ts'
import { type UserRow, getUserRow, lockUser } from '../../identity/users/find-user.ts'
import type { UserRecord } from '../../identity/users/present.ts'
import { markUpgraded } from '../../identity/users/user-rows.ts'
import { recordOfRow } from '../../identity/users/users.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { fromJson } from '../../platform/json-text.ts'
import { valuesIn } from '../../tenancy/tenants/attributes/values.ts'
import { isAnonymousSession } from '../frontend/anonymous-access.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { assertAddressAllowed } from './address-rules.ts'
import { assertSignUpAllowed, isDemandedAfterSignUp } from './hooked.ts'
import { assertSignUpEnabled } from './invited-sign-up.ts'
import { type GivenFields, requirementsOf } from './requirements.ts'

/** Returns the anonymous user in whose session somebody signs up, held until the transaction ends; undefined if there is none. */
export async function findAnonymous(deps: Deps, tx: Transaction, call: AnyCall): Promise<UserRow | undefined> {
  const { session, tenantId } = call
  if (!isAnonymousSession(session)) return undefined
  const user = await lockUser(tx, tenantId, session.row.user_id)
  const isLive = (await findLiveSession(tx, tenantId, session.row.id, deps.clock.now())) !== undefined
  return isLive && user?.is_anonymous === 1 && user.status === 'active' ? user : undefined
}

/**
 * Ends what somebody else may know of an anonymous user who signs up, or may have set up in the same session: sessions, codes, addresses, passkeys
 * and social accounts. The caller's transaction holds the user. Returns the user as it is then.
 */
export async function endEarlierAccess(deps: Deps, tx: Transaction, call: AnyCall, user: UserRow): Promise<UserRow> {
  const { tenantId } = call
  const actor = call.actor(user.id)
  if (await hasWayIn(tx, user)) {
    await endUnprovenAccess(deps, tx, tenantId, user.id, { provenId: '', actor })
    return getUserRow(tx, tenantId, user.id)
  }
  await endSessionsOf(deps, tx, tenantId, user.id, actor)
  await tx.run(endCodesOf(tenantId, user.id))
  await tx.run(deleteCandidatesOf(tenantId, user.id))
  return user
}

/** Whether the user has something by which users sign in, in this tenant or another. */
const hasWayIn = async (tx: Transaction, { tenant_id: tenantId, ...user }: UserRow): Promise<boolean> =>
  (user.primary_email_id ?? user.primary_phone_id) !== null ||
  (await authenticatorsOf(tx, tenantId, user.id)).length > 0 ||
  (await selectConnectionsOf(tx, tenantId, user.id)).length > 0

/**
 * Removes what was added to an anonymous user before, when something else is about to be added: only the last one counts, because somebody
 * else may have added the earlier ones in the same browser. Does nothing for other users. Returns the user as it is then, held.
 * @param provenId an address or number that the user has already and proves now.
 */
export async function removeEarlierWays(
  deps: Deps,
  tx: Transaction,
  call: AnyCall,
  provenId = '',
): Promise<UserRow | undefined> {
  const { session, tenantId } = call
  if (session?.row.user_is_anonymous !== 1) return undefined
  const { id: sessionId, user_id: userId } = session.row
  const user = await lockUser(tx, tenantId, userId)
  if (user?.is_anonymous !== 1 || !(await hasWayIn(tx, user))) return user
  await endUnprovenAccess(deps, tx, tenantId, userId, { provenId, sessionId, actor: call.actor(userId) })
  return getUserRow(tx, tenantId, userId)
}

const primaryContact = <Row extends { readonly id: string; readonly verified_at: string | null }>(
  rows: readonly Row[],
  primaryId: string | null,
) => rows.find(({ id }) => id === primaryId)

/** Returns the fields of a sign-up that the user has given so far. */
function readFields({ row, emailAddresses, phoneNumbers }: UserRecord): GivenFields {
  const email = primaryContact(emailAddresses, row.primary_email_id)
  const phone = primaryContact(phoneNumbers, row.primary_phone_id)
  return {
    ...(email === undefined ? {} : { email: email.email }),
    ...(phone === undefined ? {} : { phone: phone.phone }),
    ...(row.username === null ? {} : { username: row.username }),
    ...(row.name === null ? {} : { name: row.name }),
    attributes: valuesIn(fromJson(row.public_meta)),
    verified: [
      ...(email?.verified_at === undefined || email.verified_at === null ? [] : (['email'] as const)),
      ...(phone?.verified_at === undefined || phone.verified_at === null ? [] : (['phone'] as const)),
    ],
  }
}

/** @throws ApiError email_not_allowed, enterprise_sign_in_required */
export async function assertMayUseAddress(tx: Transaction, { tenant }: AnyCall, email: string): Promise<void> {
  assertAddressAllowed(tenant.auth, { email, verified: [] })
  await assertMaySignUp(tx, tenant, email)
}

/**
 * Makes an anonymous user a real one once it can sign in. Runs in the `decidedTransaction` that has added a way to sign in, and does nothing
 * for other users. Returns whether the user is a real one then.
 * @throws ApiError anonymous_user if the tenant requires more, which the sign-up asks for; sign_up_disabled, sign_up_denied,
 * email_not_allowed, enterprise_sign_in_required
 */
export async function upgradeWithin(deps: Deps, tx: Transaction, call: AnyCall): Promise<boolean> {
  const { session, tenant, tenantId } = call
  if (session?.row.user_is_anonymous !== 1) return true
  const user = await lockUser(tx, tenantId, session.row.user_id)
  if (user?.is_anonymous !== 1) return true
  if (!(await canSignIn(deps, tx, tenant, user))) return false
  const record = await recordOfRow({ ...deps, db: tx }, user)
  const fields = readFields(record)
  assertSignUpEnabled(call, fields)
  await assertSignUpAllowed(tx, call, fields)
  if (fields.email !== undefined) await assertMayUseAddress(tx, call, fields.email)
  const { missingFields, missingVerifications } = requirementsOf(tenant, fields, true)
  const isLacking = missingFields.length > 0 || missingVerifications.length > 0
  // The session goes on as that of the new user, so it is decided like one that begins.
  const isDemanded = await isDemandedAfterSignUp(tx, call, fields, [])
  if (isLacking || isDemanded || signInRules(tenant.auth, record.role, deps.clock.now()).length > 0)
    throw new ApiError('anonymous_user')
  await tx.runAll(markUpgraded(deps, tx, record, call.actor(user.id)))
  await endSessionsOf(deps, tx, tenantId, user.id, call.actor(user.id), session.row.id)
  return true
}
