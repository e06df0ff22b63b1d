// Replaces a forgotten password for a person who reads the user's address. It does not sign the user in or change a second factor.
import { mustUseConnection } from '../../enterprise/connections/sign-on-rules.ts'
import type { Deps } from '../../identity/deps.ts'
import { clearPasswordFailures, knownDevice, subjectOf } from '../../identity/lockout/lockout.ts'
import {
  assertTriesLeft,
  endCodesFor,
  endCodesOf,
  isOpenCode,
  issueCode,
  quotaSubject,
  redeemCode,
  codeMinutes,
} from '../../identity/one-time-codes/one-time-codes.ts'
import { checkPassword } from '../../identity/passwords/check-password.ts'
import { assertNotReused, rememberPassword } from '../../identity/passwords/password-history.ts'
import { setPassword } from '../../identity/passwords/passwords.ts'
import { proveContact } from '../../identity/people/proven-contact.ts'
import { notifyUser } from '../../identity/security-notices/notices.ts'
import { endSessionsOf } from '../../identity/sessions/sessions.ts'
import { emailKind, phoneKind, selectContact } from '../../identity/users/contact-kinds.ts'
import {
  type EmailAddressRow,
  type PhoneNumberRow,
  type UserRow,
  emailAddressesOf,
  findUserRow,
  lockUser,
} from '../../identity/users/find-user.ts'
import { type Identified, type Identifier, findIdentified, parseIdentifier } from '../../identity/users/identifier.ts'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { takeQuota } from '../../platform/quotas/quotas.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { assertChallenge } from '../challenges/challenge-rule.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { passwordResets } from './tables.ts'

const resetMs = 30 * 60_000
const nobody = '' as UserId

type ResetRow = RowOf<typeof passwordResets>

/** The user's address or number that the code is sent to. */
interface Destination {
  readonly kind: 'email' | 'phone'
  readonly contactId: string
  readonly value: string
}

/** The kind of contact that receives the code for this kind of identifier; the same for an identifier that nobody has. */
const wayOf = (kind: string): Destination['kind'] => (kind === 'phone' ? 'phone' : 'email')

const presentReset = ({ id, status, expires_at: expiresAt }: ResetRow) => ({ passwordReset: { id, status, expiresAt } })

/** For a username it is the primary e-mail address. The look-up also runs if nobody has the identifier, so that it takes as long. */
async function destinationOf(
  db: Reader,
  tenantId: TenantId,
  identified: Identified | undefined,
  kind: string,
): Promise<Destination | undefined> {
  if (kind !== 'username') {
    const contact = identified?.contact
    return contact && { kind: wayOf(kind), contactId: contact.id, value: contact.value }
  }
  const userId = identified?.userId ?? nobody
  const primaryId = (await findUserRow(db, tenantId, userId))?.primary_email_id
  const addresses = await emailAddressesOf(db, tenantId, userId)
  const primary = addresses.find(({ id }) => id === primaryId)
  return primary && { kind: 'email', contactId: primary.id, value: primary.email }
}

/** Returns nobody for a user whose organization requires its own sign-in: answered like an identifier that nobody has. */
async function resettable(db: Reader, { tenant, tenantId }: AnyCall, identifier: Identifier) {
  const found = await findIdentified(db, tenantId, identifier)
  return (await mustUseConnection(db, tenant, found?.userId ?? nobody)) ? undefined : found
}

const addressKeyOf = (kind: Destination['kind'], value: string) =>
  kind === 'phone' ? phoneKind.keyOf(value) : emailKind.keyOf(value)

/** A code is valid for the address that it was sent to; for none if nobody has the identifier that was asked for. */
const placeOf = (tenantId: TenantId, resetId: string, addressKey = '') => ({
  tenantId,
  purpose: 'password_reset' as const,
  flowId: resetId,
  addressKey,
})

/** Returns the present row of the address that the code was sent to, if the user still has it. */
async function currentKey(db: Reader, tenantId: TenantId, { contact_kind: kind, contact_id: id, user_id }: ResetRow) {
  const table = kind === 'phone' ? phoneKind : emailKind
  const row = await selectContact<EmailAddressRow | PhoneNumberRow>(db, table, tenantId, id ?? '')
  if (kind === null || row === undefined || row.user_id !== user_id) return undefined
  return addressKeyOf(kind, 'phone' in row ? row.phone : row.email)
}

/** A tenant that does not let users sign in by number has not chosen to trust text messages, so they cannot reset passwords either. */
const isWayOpen = ({ tenant: { auth } }: AnyCall, kind: Destination['kind'] | null) =>
  auth.passwordsEnabled && (kind !== 'phone' || auth.phoneSignInEnabled)

/**
 * @throws ApiError strategy_unavailable if passwords are off, for a number if users cannot sign in by number, or if no message can be sent;
 * challenge_required, too_many_attempts
 */
export async function createPasswordReset(deps: Deps, call: AnyCall, text: string) {
  const { tenant, tenantId } = call
  const { db, clock } = deps
  const identifier = parseIdentifier(text)
  const facts = strategyFactsOf(deps, tenant)
  const hasChannel = identifier.kind === 'phone' ? facts.hasSmsChannel : facts.hasEmailChannel
  if (!isWayOpen(call, wayOf(identifier.kind)) || !hasChannel) throw new ApiError('strategy_unavailable')
  await assertChallenge(deps, call, 'password_reset')
  const identified = await resettable(db, call, identifier)
  const destination = await destinationOf(db, tenantId, identified, identifier.kind)
  const subject = subjectOf(identified?.userId, identifier.key)
  const claimant = { tenantId, subject, device: call.heldHash('device') }
  return db.transaction(async (tx) => {
    const at = clock.now()
    const row: ResetRow = {
      tenant_id: tenantId,
      id: newId(),
      user_id: destination === undefined ? null : (identified?.userId ?? null),
      status: 'needs_code',
      contact_kind: wayOf(identifier.kind),
      contact_id: destination?.contactId ?? null,
      expires_at: addMilliseconds(at, resetMs),
      created_at: at,
      updated_at: at,
    }
    await tx.run(passwordResets.insert(row))
    const isKnown = (await knownDevice(tx, claimant)) !== undefined
    await takeQuota(deps, tx, tenantId, resetQuota(deps), quotaSubject(isKnown, identifier.key))
    // Only the newest reset is valid.
    await tx.run(endCodesFor(tenantId, row.user_id ?? nobody, 'password_reset'))
    const place = placeOf(tenantId, row.id, destination && addressKeyOf(destination.kind, destination.value))
    // Counted alike whether or not somebody has the identifier; identifiers that nobody has do not share a budget.
    const quotaKey = place.addressKey === '' ? identifier.key : place.addressKey
    const code = await issueCode(deps, tx, { ...place, userId: row.user_id, kind: 'code', claimant, quotaKey })
    await queueMessage(tx, deps, {
      tenantId,
      channelType: wayOf(identifier.kind) === 'phone' ? 'sms' : 'email',
      template: { type: 'password-reset' },
      to: destination?.value ?? null,
      userId: row.user_id,
      language: call.language,
      variables: { code, expiresInMinutes: codeMinutes },
      purpose: 'password_reset',
    })
    return presentReset(row)
  })
}

const resetQuota = ({ config }: Deps) => ({
  name: 'resets:hour',
  usesMax: config.env === 'development' ? 500 : 5,
  windowSeconds: 60 * 60,
})

/**
 * Refuses a former password, once the code has proven to be right. It is used up with the new password alone, so that the user can choose
 * another one.
 * @throws ApiError validation_failed
 */
async function assertNewToOwner(
  deps: Deps,
  { tenant, tenantId }: AnyCall,
  row: ResetRow,
  { code, password }: { readonly code: string; readonly password: string },
) {
  const { user_id: userId } = row
  if (tenant.auth.passwordHistory === 0 || userId === null) return
  const key = await currentKey(deps.db, tenantId, row)
  if (key === undefined || !(await isOpenCode(deps, placeOf(tenantId, row.id, key), code))) return
  await assertNotReused(deps, tenant.auth, { tenantId, userId }, password)
}

/**
 * @throws ApiError strategy_unavailable, attempt_not_open, factor_refused, too_many_attempts; validation_failed for a password that is
 * refused.
 */
export async function attemptPasswordReset(
  deps: Deps,
  call: AnyCall,
  id: string,
  { code, password }: { readonly code: string; readonly password: string },
) {
  const { tenantId } = call
  if (!isWayOpen(call, null)) throw new ApiError('strategy_unavailable')
  const row = await passwordResets.byKey(deps.db, tenantId, id)
  if (row === undefined || row.status !== 'needs_code' || row.expires_at <= deps.clock.now()) {
    throw new ApiError('attempt_not_open')
  }
  if (!isWayOpen(call, row.contact_kind)) throw new ApiError('strategy_unavailable')
  await checkPassword(deps, tenantId, password, { chosenBy: {} })
  // The guess does not count against the account: the code has tries of its own, so that the reader of the mailbox succeeds while others
  // guess.
  await assertTriesLeft(deps.db, placeOf(tenantId, id))
  await assertNewToOwner(deps, call, row, { code, password })
  const hash = await deps.passwordPool.hash(tenantId, password)
  const isDone = await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, tenantId, row.user_id ?? nobody)
    const key = await currentKey(tx, tenantId, row)
    const isRight = await redeemCode(deps, tx, placeOf(tenantId, id, key), code)
    if (!isRight || key === undefined || user?.status !== 'active') return false
    if (await mustUseConnection(tx, call.tenant, user.id)) return false
    await replace(deps, tx, call, row, user, hash)
    await tx.run(clearPasswordFailures(tenantId, user.id))
    return true
  })
  if (!isDone) throw new ApiError('factor_refused')
  return presentReset({ ...row, status: 'complete' })
}

async function replace(deps: Deps, tx: Transaction, call: AnyCall, row: ResetRow, user: UserRow, hash: string) {
  const { tenantId } = call
  const { id: userId } = user
  const at = deps.clock.now()
  const actor = call.actor(userId)
  if (row.contact_id !== null) {
    const table = row.contact_kind === 'phone' ? 'phone_numbers' : 'email_addresses'
    await proveContact(deps, tx, tenantId, userId, { table, id: row.contact_id }, actor)
  }
  await rememberPassword(tx, call.tenant.auth, { tenantId, userId })
  await tx.run(setPassword(tenantId, userId, { hash, at, resetBy: row.contact_kind === 'phone' ? 'phone' : 'email' }))
  await endSessionsOf(deps, tx, tenantId, userId, actor)
  await tx.run(endCodesOf(tenantId, userId))
  await tx.run(sql`UPDATE password_resets SET status = 'complete', updated_at = ${at}
    WHERE tenant_id = ${tenantId} AND id = ${row.id}`)
  await tx.run(
    eventStatement(deps.clock, deps.personal, {
      tenantId,
      type: 'user.password_changed',
      actor,
      subjectId: userId,
      data: { mustChange: false, isReset: true },
    }),
  )
  // The primary address may have changed since the proof.
  const owner = (await findUserRow(tx, tenantId, userId)) ?? user
  await notifyUser(deps, tx, owner, { type: 'password-changed', language: call.language })
}
