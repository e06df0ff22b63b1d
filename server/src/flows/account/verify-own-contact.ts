// The code that proves that the signed-in user reads an address or number.
import type { Deps } from '../../identity/deps.ts'
import { clearFailures, subjectOf, takeTry } from '../../identity/lockout/lockout.ts'
import { issueCode, redeemCode, codeMinutes } from '../../identity/one-time-codes/one-time-codes.ts'
import { addContact } from '../../identity/people/contacts.ts'
import { proveContact } from '../../identity/people/proven-contact.ts'
import { notifyUser } from '../../identity/security-notices/notices.ts'
import { rotateToken } from '../../identity/sessions/rotate-token.ts'
import { type CandidateRow, deleteCandidate } from '../../identity/users/contact-candidates.ts'
import { type ContactKind, selectContact } from '../../identity/users/contact-kinds.ts'
import {
  type EmailAddressRow,
  type PhoneNumberRow,
  type UserRow,
  findUserRow,
  getUserRow,
  lockUser,
} from '../../identity/users/find-user.ts'
import { decidedTransaction } from '../../messaging/hooks/decisions.ts'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type Quota, takeQuota } from '../../platform/quotas/quotas.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { removeEarlierWays, upgradeWithin } from '../sign-up/upgrade.ts'
import {
  type OwnContact,
  type OwnKind,
  findOwnContact,
  ownerOf,
  presentCandidate,
  presentOwned,
  valueOf,
} from './own-contacts.ts'

const purposes = { email: 'own_email', phone: 'own_phone' } as const
/** A limit for each user, across all addresses and numbers. */
const codeGuesses: Quota = { name: 'code_guesses:day', usesMax: 50, windowSeconds: 24 * 60 * 60 }

type Found = Awaited<ReturnType<typeof findOwnContact>>

function placeOf({ tenantId }: AnyCall, kind: OwnKind, id: string, found: Found) {
  const value = 'owned' in found ? valueOf(found.owned) : found.candidate.value
  return { tenantId, purpose: purposes[kind.resource], flowId: id, addressKey: kind.keyOf(value) }
}

/**
 * Sends a code, the same whether or not somebody else has the address. Nothing is sent for a verified one.
 * @throws ApiError not_found, too_many_attempts; strategy_unavailable if no message can be sent.
 */
export async function prepareOwnContact(deps: Deps, call: AnyCall, kind: OwnKind, id: string): Promise<OwnContact> {
  const { tenant, tenantId } = call
  const owner = ownerOf(call, kind)
  const facts = strategyFactsOf(deps, tenant)
  if (!(kind.resource === 'email' ? facts.hasEmailChannel : facts.hasSmsChannel))
    throw new ApiError('strategy_unavailable')
  return deps.db.transaction(async (tx) => {
    const found = await findOwnContact(tx, kind, owner, id, deps.clock.now())
    const user = await getUserRow(tx, tenantId, owner.userId)
    const shown = 'owned' in found ? presentOwned(found.owned, user) : presentCandidate(found.candidate)
    if (shown.verifiedAt !== null) return shown
    const place = placeOf(call, kind, id, found)
    const code = await issueCode(deps, tx, { ...place, userId: owner.userId, kind: 'code' })
    await queueMessage(tx, deps, {
      tenantId,
      channelType: kind.resource === 'email' ? 'email' : 'sms',
      template: { type: 'verification-code' },
      to: shown.value,
      userId: owner.userId,
      language: call.language,
      variables: { code, expiresInMinutes: codeMinutes },
      purpose: 'verification',
    })
    return shown
  })
}

/**
 * Verifies it; a candidate becomes the user's.
 * @throws ApiError not_found, factor_refused, too_many_attempts, contact_limit_reached; email_taken, phone_taken, which only a person who
 * reads the address learns.
 */
export async function verifyOwnContact(
  deps: Deps,
  call: AnyCall,
  kind: OwnKind,
  id: string,
  code: string,
): Promise<OwnContact> {
  const { tenantId } = call
  const owner = ownerOf(call, kind)
  const { userId } = owner
  // Checked before a guess is counted, so that nobody uses up the budget of another user's address.
  await findOwnContact(deps.db, kind, owner, id, deps.clock.now())
  // The guess is at the code of one address, not at the account, so it has a budget of its own.
  const subject = subjectOf(undefined, id)
  await takeTry(deps, { tenantId, subject, device: undefined })
  await deps.db.transaction((tx) => takeQuota(deps, tx, tenantId, codeGuesses, `own:${userId}`))
  const verified = await decidedTransaction(deps, tenantId, async (tx) => {
    const user = await lockUser(tx, tenantId, userId)
    if (user === undefined) throw notFound()
    const found = await findOwnContact(tx, kind, owner, id, deps.clock.now())
    if (!(await redeemCode(deps, tx, placeOf(call, kind, id, found), code))) return undefined
    await tx.run(clearFailures(tenantId, subject))
    const alone = await removeEarlierWays(deps, tx, call, 'owned' in found ? id : '')
    const contact = await accept(deps, tx, call, kind, alone ?? user, found)
    return { contact, token: await rotateUpgraded(deps, tx, call, user) }
  })
  if (verified === undefined) throw new ApiError('factor_refused')
  if (verified.token !== undefined) call.reissueSessionToken(verified.token)
  return verified.contact
}

/** Somebody else may have planted the cookie of an anonymous user's session in this browser. Who sends a token got it from its own app. */
async function rotateUpgraded(deps: Deps, tx: Transaction, { request, signedIn }: AnyCall, before: UserRow) {
  if (before.is_anonymous !== 1 || request.headers.authorization !== undefined) return undefined
  return rotateToken(deps, tx, signedIn)
}

async function accept(deps: Deps, tx: Transaction, call: AnyCall, kind: OwnKind, user: UserRow, found: Found) {
  const { tenantId } = call
  const actor = call.actor()
  const row = 'owned' in found ? found.owned : await add(deps, tx, call, kind, user, found.candidate)
  await proveContact(deps, tx, tenantId, user.id, { table: kind.table, id: row.id, isInSession: true }, actor)
  await upgradeWithin(deps, tx, call)
  const stored = await selectContact<EmailAddressRow | PhoneNumberRow>(tx, kind, tenantId, row.id)
  const after = await findUserRow(tx, tenantId, user.id)
  return presentOwned(stored ?? row, after ?? user)
}

async function add(deps: Deps, tx: Transaction, call: AnyCall, kind: OwnKind, user: UserRow, row: CandidateRow) {
  const anyKind = kind as ContactKind<EmailAddressRow | PhoneNumberRow>
  // Read before the contact is added, because the notice is for the addresses that existed before.
  await notifyUser(deps, tx, user, {
    type: kind.resource === 'email' ? 'email-changed' : 'phone-changed',
    language: call.language,
  })
  // It keeps the id that the caller knows, for a following request such as `…/{id}/primary`.
  const added = await addContact(deps, tx, anyKind, user, { id: row.id, value: row.value }, call.actor())
  await tx.run(deleteCandidate(ownerOf(call, kind), row.id))
  return added
}
