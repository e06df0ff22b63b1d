// Adds e-mail addresses and phone numbers to users, and removes them. Each change holds the user, so that the primary contact, and the
// number of contacts, is exact even if several changes arrive at once.
import { type EventDataByType, type PersonalDataByType, canonicalEmail, emailKey } from '@bailiwick/contract'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import { addToCounters, sumOfCounter } from '../../platform/db/counters.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { countNarrowed } from '../../platform/http/lists/list-filter.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { endCodesOf } from '../one-time-codes/one-time-codes.ts'
import { inviteByDomain } from '../organizations/automatic-invitation.ts'
import { contactsMax } from '../users/contact-candidates.ts'
import * as kinds from '../users/contact-kinds.ts'
import {
  type EmailAddressRow,
  type PhoneNumberRow,
  type UserRow,
  selectUser,
  selectUserForUpdate,
} from '../users/user-records.ts'
import { renewTerms } from '../users/user-terms.ts'

type ContactRow = EmailAddressRow | PhoneNumberRow
type Kind<Row extends ContactRow> = kinds.ContactKind<Row>

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listTenantContacts<Row extends ContactRow, Shown>(
  deps: Deps,
  kind: Kind<Row>,
  tenantId: TenantId,
  query: PageQuery,
  present: (row: Row) => Shown,
) {
  await getTenant(deps, tenantId)
  const { db } = deps
  const request = pageRequest(query)
  const { page, total } = await selectPageAndTotal<Row>(
    db,
    kinds.contactSource(kind, tenantId),
    sumOfCounter(tenantId, kind.table),
    request,
  )
  return pageEnvelope(page, page.rows.map(present), total, request.perPage)
}

/** @throws ApiError not_found */
export async function listUserContacts<Row extends ContactRow, Shown>(
  { db }: Deps,
  kind: Kind<Row>,
  tenantId: TenantId,
  userId: string,
  query: PageQuery,
  present: (row: Row) => Shown,
) {
  const user = await selectUser(db, tenantId, userId)
  if (user === undefined) throw notFound()
  const request = pageRequest(query)
  const list = kinds.contactSource(kind, tenantId, user.id)
  const { page, total } = await selectPageAndTotal<Row>(db, list, countNarrowed(list), request)
  return pageEnvelope(page, page.rows.map(present), total, request.perPage)
}

/** @throws ApiError not_found */
export async function getContact<Row extends ContactRow>(
  { db }: Deps,
  kind: Kind<Row>,
  tenantId: TenantId,
  id: string,
) {
  const row = await kinds.selectContact<Row>(db, kind, tenantId, id)
  if (row === undefined) throw notFound()
  return row
}

type ContactEventType = Kind<ContactRow>['events'][keyof Kind<ContactRow>['events']] | 'email.updated'

interface Change<Row extends ContactRow, Type extends ContactEventType> {
  readonly type: Type
  readonly user: UserRow
  readonly row: Row
  readonly data: EventDataByType[Type]
  readonly personal: PersonalDataByType[Type]
}

const personalOf = <Row extends ContactRow>(kind: Kind<Row>, row: Row) => kind.personal(kind.valueOf(row))

/** Each change has its event, and makes nodes forget what they derived from the user. */
async function record<Row extends ContactRow, Type extends ContactEventType>(
  { clock, personal, sessions }: Deps,
  tx: Transaction,
  actor: Actor,
  { type, user, row, data, personal: aboutPerson }: Change<Row, Type>,
): Promise<void> {
  await invalidateUser(tx, sessions, user.tenant_id, user.id)
  await tx.run(
    eventStatement(clock, personal, {
      tenantId: user.tenant_id,
      type,
      actor,
      subjectId: row.id,
      data,
      personal: { salt: user.personal_salt, userId: user.id, data: aboutPerson },
    }),
  )
}

/**
 * Runs in the caller's transaction, which holds the user.
 * @throws ApiError contact_limit_reached; ConstraintError if somebody has it.
 */
export async function addContact<Row extends ContactRow>(
  deps: Deps,
  tx: Transaction,
  kind: Kind<Row>,
  user: UserRow,
  contact: { readonly value: string; readonly id?: string },
  actor: Actor,
): Promise<Row> {
  const { tenant_id: tenantId } = user
  const counted = await kinds.countContacts(tx, kind, tenantId, user.id)
  if ((counted?.count ?? 0) >= contactsMax) throw new ApiError('contact_limit_reached')
  const at = deps.clock.next()
  const { row, insert } = kind.create({ ...contact, tenantId, userId: user.id, at })
  await tx.run(insert)
  if (kind.table === 'email_addresses') await renewTerms(tx, tenantId, user.id)
  const isPrimary = user[kind.primaryColumn] === null
  if (isPrimary) await tx.run(kinds.updatePrimary(kind, user, row.id, at))
  await tx.run(addToCounters(tx, tenantId, { [kind.table]: 1 }))
  const data = { userId: user.id, primary: isPrimary }
  await record(deps, tx, actor, { type: kind.events.created, user, row, data, personal: personalOf(kind, row) })
  return row
}

/** What a caller does in the transaction before a change is made: check rules of its own, send notices. */
export type BeforeChange<Row extends ContactRow> = (tx: Transaction, user: UserRow, row: Row) => Promise<void>

/** Runs one change of an address or number, with its user held. */
function change<Row extends ContactRow>(
  { db }: Deps,
  kind: Kind<Row>,
  tenantId: TenantId,
  id: string,
  changeOf: (tx: Transaction, user: UserRow, row: Row) => Promise<Row>,
): Promise<Row> {
  return db.transaction(async (tx) => {
    const found = await kinds.selectContact<Row>(tx, kind, tenantId, id)
    const user = found && (await selectUserForUpdate(tx, tenantId, found.user_id))
    // The row is read again, because what was read before the user was held may have changed.
    const row = user && (await kinds.selectContact<Row>(tx, kind, tenantId, id))
    if (user === undefined || row === undefined) throw notFound()
    return changeOf(tx, user, row)
  })
}

/**
 * Marks a contact as verified by the caller's authority. Verifying twice keeps the first time and writes nothing.
 * @throws ApiError not_found
 */
export function verifyContact<Row extends ContactRow>(
  deps: Deps,
  kind: Kind<Row>,
  tenantId: TenantId,
  id: string,
  actor: Actor,
): Promise<Row> {
  return change(deps, kind, tenantId, id, async (tx, user, row) => {
    if (row.verified_at !== null) return row
    const at = deps.clock.now()
    await tx.run(kinds.updateVerified(kind, tenantId, id, at))
    const data = { userId: user.id, verifiedAt: at }
    await record(deps, tx, actor, { type: kind.events.verified, user, row, data, personal: personalOf(kind, row) })
    if ('email' in row) await inviteByDomain(deps, tx, { tenantId, userId: user.id, email: row.email }, actor)
    return { ...row, verified_at: at, updated_at: at }
  })
}

/** @throws ApiError not_found */
export function makeContactPrimary<Row extends ContactRow>(
  deps: Deps,
  kind: Kind<Row>,
  tenantId: TenantId,
  id: string,
  actor: Actor,
  beforeChange?: BeforeChange<Row>,
): Promise<Row> {
  return change(deps, kind, tenantId, id, async (tx, user, row) => {
    await beforeChange?.(tx, user, row)
    const before = user[kind.primaryColumn]
    if (before === row.id) return row
    await tx.run(kinds.updatePrimary(kind, user, row.id, deps.clock.now()))
    await tx.run(endCodesOf(tenantId, user.id))
    const data = { userId: user.id, before }
    await record(deps, tx, actor, { type: kind.events.madePrimary, user, row, data, personal: personalOf(kind, row) })
    return row
  })
}

/**
 * Changes an address. A different spelling may be a different mailbox, so it must be verified again.
 * @throws ApiError not_found, email_taken
 */
export function updateEmailAddress(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  value: string | undefined,
  actor: Actor,
): Promise<EmailAddressRow> {
  const kind = kinds.emailKind
  return change(deps, kind, tenantId, id, async (tx, user, row) => {
    const email = value === undefined ? row.email : canonicalEmail(value)
    return email === row.email ? row : rewriteAddress(deps, tx, user, { ...row, email, verified_at: null }, actor)
  })
}

/**
 * Writes an address that replaces another one. Runs in the caller's transaction, which holds the user.
 * @param to the row of the address, with the new one and whether it is verified.
 * @throws ConstraintError if somebody has it.
 */
export async function rewriteAddress(
  deps: Deps,
  tx: Transaction,
  user: UserRow,
  to: EmailAddressRow,
  actor: Actor,
): Promise<EmailAddressRow> {
  const { tenant_id: tenantId, id, email } = to
  const before = await kinds.selectContact<EmailAddressRow>(tx, kinds.emailKind, tenantId, id)
  const after = { ...to, email_key: emailKey(email), is_claimed: 0, updated_at: deps.clock.now() }
  await tx.run(kinds.updateEmail(after))
  await renewTerms(tx, tenantId, user.id)
  // Codes that were sent to the address before prove nothing any more.
  await tx.run(endCodesOf(tenantId, user.id))
  const personal = { before: { email: before?.email ?? email }, after: { email } }
  await record(deps, tx, actor, { type: 'email.updated', user, row: after, data: { userId: user.id }, personal })
  return after
}

/**
 * Removes a contact. A primary one is replaced by the oldest verified, else the oldest, else none.
 * @throws ApiError not_found
 */
export async function deleteContact<Row extends ContactRow>(
  deps: Deps,
  kind: Kind<Row>,
  tenantId: TenantId,
  id: string,
  actor: Actor,
  beforeChange?: BeforeChange<Row>,
): Promise<void> {
  await change(deps, kind, tenantId, id, async (tx, user, row) => {
    await beforeChange?.(tx, user, row)
    await removeContact(deps, tx, kind, user, row, actor)
    return row
  })
}

/** Does the same in the caller's transaction, which holds the user. */
export async function removeContact<Row extends ContactRow>(
  deps: Deps,
  tx: Transaction,
  kind: Kind<Row>,
  user: UserRow,
  row: Row,
  actor: Actor,
): Promise<void> {
  const { tenant_id: tenantId } = user
  await tx.run(kinds.deleteContact(kind, tenantId, row.id))
  if (kind.table === 'email_addresses') await renewTerms(tx, tenantId, user.id)
  await tx.run(endCodesOf(tenantId, user.id))
  const wasPrimary = user[kind.primaryColumn] === row.id
  const successor = wasPrimary ? await kinds.selectSuccessor(tx, kind, tenantId, user.id) : undefined
  if (wasPrimary) await tx.run(kinds.updatePrimary(kind, user, successor?.id ?? null, deps.clock.now()))
  await tx.run(addToCounters(tx, tenantId, { [kind.table]: -1 }))
  const primary = wasPrimary ? { primaryBefore: row.id, primaryAfter: successor?.id ?? null } : {}
  const data = { userId: user.id, ...primary }
  await record(deps, tx, actor, { type: kind.events.deleted, user, row, data, personal: personalOf(kind, row) })
}
