// E-mail addresses and phone numbers of the signed-in user. A new one is a candidate until its code is entered; only a person who reads it
// can find out whether somebody else has it.
import { canSignInWithout } from '../../identity/authenticators/can-sign-in-without.ts'
import type { Deps } from '../../identity/deps.ts'
import { deleteContact, makeContactPrimary } from '../../identity/people/contacts.ts'
import { notifyUser } from '../../identity/security-notices/notices.ts'
import { assertFresh } from '../../identity/sessions/fresh-session.ts'
import {
  type CandidateOwner,
  type CandidateRow,
  candidatesMax,
  contactsMax,
  deleteCandidate,
  insertCandidate,
  selectCandidate,
  selectCandidates,
} from '../../identity/users/contact-candidates.ts'
import { type ContactKind, emailKind, phoneKind, selectContact } from '../../identity/users/contact-kinds.ts'
import {
  type EmailAddressRow,
  type PhoneNumberRow,
  type UserRow,
  emailAddressesOf,
  getUserRow,
  lockUser,
  phoneNumbersOf,
} from '../../identity/users/find-user.ts'
import { assertMayChangeProfile } from '../../identity/users/managed-by-directory.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type UserId, newId } from '../../platform/ids.ts'
import type { AnyCall } from '../frontend/flow.ts'

type ContactRow = EmailAddressRow | PhoneNumberRow
export type OwnKind = ContactKind<EmailAddressRow> | ContactKind<PhoneNumberRow>

const candidateMs = 24 * 60 * 60_000

/** An address or number as its owner sees it. */
export interface OwnContact {
  readonly id: string
  readonly value: string
  readonly verifiedAt: string | null
  readonly primary: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

export const valueOf = (row: ContactRow) => ('email' in row ? row.email : row.phone)

export const presentOwned = (row: ContactRow, user: UserRow): OwnContact => ({
  id: row.id,
  value: valueOf(row),
  verifiedAt: row.verified_at,
  primary: row.id === user.primary_email_id || row.id === user.primary_phone_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const presentCandidate = (row: CandidateRow): OwnContact => ({
  id: row.id,
  value: row.value,
  verifiedAt: null,
  primary: false,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const ownerOf = ({ tenantId, signedIn }: AnyCall, kind: OwnKind): CandidateOwner => ({
  tenantId,
  userId: signedIn.row.user_id,
  kind: kind.resource,
})

const ownedBy = (db: Reader, kind: OwnKind, { tenantId, userId }: CandidateOwner): Promise<ContactRow[]> =>
  kind.resource === 'email' ? emailAddressesOf(db, tenantId, userId) : phoneNumbersOf(db, tenantId, userId)

/** Oldest first. */
export async function listOwnContacts({ db, clock }: Deps, call: AnyCall, kind: OwnKind): Promise<OwnContact[]> {
  const owner = ownerOf(call, kind)
  const user = await getUserRow(db, owner.tenantId, owner.userId)
  const [owned, candidates] = await Promise.all([ownedBy(db, kind, owner), selectCandidates(db, owner, clock.now())])
  const all = [...owned.map((row) => presentOwned(row, user)), ...candidates.map(presentCandidate)]
  return all.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))
}

/**
 * Until an address is verified, nobody has proven to own the account: users may not add their own to an account that was made with somebody
 * else's address (docs/security-tests.md 2.2).
 */
async function assertSomethingVerified(tx: Transaction, owner: CandidateOwner) {
  const contacts = [...(await ownedBy(tx, emailKind, owner)), ...(await ownedBy(tx, phoneKind, owner))]
  if (contacts.length > 0 && contacts.every(({ verified_at: at }) => at === null))
    throw new ApiError('contact_unverified')
}

/**
 * Records what is to be verified. One that the user has, or has added before, is returned unchanged.
 * @throws ApiError reauthentication_required, contact_unverified, contact_limit_reached
 */
export async function createOwnContact(deps: Deps, call: AnyCall, kind: OwnKind, value: string): Promise<OwnContact> {
  const { db, clock, personal } = deps
  assertFresh(deps, call.signedIn)
  const owner = ownerOf(call, kind)
  const key = kind.keyOf(value)
  return db.transaction(async (tx) => {
    const user = await lockUser(tx, owner.tenantId, owner.userId)
    if (user === undefined) throw notFound()
    const owned = await ownedBy(tx, kind, owner)
    const same = owned.find((row) => kind.keyOf(valueOf(row)) === key)
    if (same !== undefined) return presentOwned(same, user)
    await assertSomethingVerified(tx, owner)
    const [now, at] = [clock.now(), clock.next()]
    const candidates = await selectCandidates(tx, owner, now)
    const known = candidates.find((row) => row.value_key === key)
    if (known !== undefined) return presentCandidate(known)
    if (candidates.length >= candidatesMax || owned.length + candidates.length >= contactsMax)
      throw new ApiError('contact_limit_reached')
    const row: CandidateRow = {
      tenant_id: owner.tenantId,
      id: newId(),
      user_id: owner.userId,
      kind: owner.kind,
      value: kind.canonical(value),
      value_key: key,
      expires_at: addMilliseconds(now, candidateMs),
      created_at: at,
      updated_at: at,
    }
    await tx.run(insertCandidate(row))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId: owner.tenantId,
        type: kind.events.additionRequested,
        actor: call.actor(),
        subjectId: row.id,
        data: { userId: user.id },
        personal: { salt: user.personal_salt, userId: user.id, data: kind.personal(row.value) },
      }),
    )
    return presentCandidate(row)
  })
}

/** @throws ApiError not_found if nobody has it, or another user. */
export async function findOwnContact(
  db: Reader,
  kind: OwnKind,
  owner: CandidateOwner,
  id: string,
  now: CandidateRow['expires_at'],
): Promise<{ readonly owned: ContactRow } | { readonly candidate: CandidateRow }> {
  const owned = await selectContact<ContactRow>(db, kind, owner.tenantId, id)
  if (owned?.user_id === owner.userId) return { owned }
  const candidate = await selectCandidate(db, owner, id, now)
  if (candidate === undefined) throw notFound()
  return { candidate }
}

const noticeOf = ({ resource }: OwnKind) => (resource === 'email' ? 'email-changed' : 'phone-changed')

/** @throws ApiError managed_by_directory for e-mail addresses of an account that a directory manages. */
const assertManagedHere = async (tx: Transaction, { resource }: OwnKind, { tenant_id: tenantId, id }: UserRow) =>
  resource === 'email' ? assertMayChangeProfile(tx, tenantId, id) : undefined

/** The change's transaction holds it: another user may have it by now, or it may be unverified, since it was looked up. */
const assertOwned = (row: ContactRow, userId: UserId) => {
  if (row.user_id !== userId) throw notFound()
}

/** @throws ApiError not_found, reauthentication_required, contact_unverified, managed_by_directory */
export async function makeOwnContactPrimary(deps: Deps, call: AnyCall, kind: OwnKind, id: string) {
  assertFresh(deps, call.signedIn)
  const owner = ownerOf(call, kind)
  const found = await findOwnContact(deps.db, kind, owner, id, deps.clock.now())
  if ('candidate' in found) throw new ApiError('contact_unverified')
  let user: UserRow | undefined
  const beforeChange = async (tx: Transaction, held: UserRow, row: ContactRow) => {
    assertOwned(row, owner.userId)
    if (row.verified_at === null) throw new ApiError('contact_unverified')
    user = { ...held, [kind.primaryColumn]: row.id }
    if (held[kind.primaryColumn] === row.id) return
    await assertManagedHere(tx, kind, held)
    await notifyUser(deps, tx, held, { type: noticeOf(kind), language: call.language })
  }
  const row = await makeContactPrimary(deps, anyKind(kind), owner.tenantId, id, call.actor(), beforeChange)
  if (user === undefined) throw new Error('a contact was made primary without its user')
  return presentOwned(row, user)
}

/** @throws ApiError not_found, reauthentication_required, last_contact, managed_by_directory */
export async function deleteOwnContact(deps: Deps, call: AnyCall, kind: OwnKind, id: string): Promise<OwnContact> {
  assertFresh(deps, call.signedIn)
  const owner = ownerOf(call, kind)
  const found = await findOwnContact(deps.db, kind, owner, id, deps.clock.now())
  if ('candidate' in found) {
    await withdraw(deps, call, kind, found.candidate)
    return presentCandidate(found.candidate)
  }
  let shown: OwnContact | undefined
  const beforeChange = async (tx: Transaction, user: UserRow, row: ContactRow) => {
    assertOwned(row, owner.userId)
    await assertManagedHere(tx, kind, user)
    await assertNotLast(tx, call, kind, user)
    if (!(await canSignInWithout(deps, tx, call.tenant, user, row))) throw new ApiError('last_contact')
    shown = presentOwned(row, user)
    await notifyUser(deps, tx, user, { type: noticeOf(kind), language: call.language })
  }
  await deleteContact(deps, anyKind(kind), owner.tenantId, id, call.actor(), beforeChange)
  if (shown === undefined) throw new Error('a contact was deleted unseen')
  return shown
}

/** The operations on contacts take one kind; both kinds are handled alike here. */
const anyKind = (kind: OwnKind) => kind as ContactKind<ContactRow>

async function withdraw({ db, clock, personal }: Deps, call: AnyCall, kind: OwnKind, row: CandidateRow) {
  await db.transaction(async (tx) => {
    if ((await tx.run(deleteCandidate(ownerOf(call, kind), row.id))) === 0) throw notFound()
    await tx.run(
      eventStatement(clock, personal, {
        tenantId: row.tenant_id,
        type: kind.events.additionWithdrawn,
        actor: call.actor(),
        subjectId: row.id,
        data: { userId: row.user_id },
      }),
    )
  })
}

/** The user keeps what the tenant requires, and something to sign in with. */
async function assertNotLast(tx: Transaction, { tenant }: AnyCall, kind: OwnKind, user: UserRow) {
  const { auth } = tenant
  const owner = (resource: 'email' | 'phone') => ({ tenantId: user.tenant_id, userId: user.id, kind: resource })
  const [emails, phones] = [await ownedBy(tx, emailKind, owner('email')), await ownedBy(tx, phoneKind, owner('phone'))]
  const [left, isRequired] = kind.resource === 'email' ? [emails, auth.emailRequired] : [phones, auth.phoneRequired]
  const isLastAtAll = emails.length + phones.length <= 1 && user.username === null
  if (isLastAtAll || (isRequired && left.length <= 1)) throw new ApiError('last_contact')
}
