// E-mail addresses and phone numbers follow the same rules under two names: each reaches a user, is unique in the tenant and can be
// verified, and one of them is the primary one.
import { canonicalEmail, canonicalPhone, emailKey } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { Selection } from '../../platform/db/table.ts'
import { type EmailAddressId, type PhoneNumberId, type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { contactsMax } from './contact-candidates.ts'
import { emailAddresses, phoneNumbers } from './tables.ts'
import type { EmailAddressRow, PhoneNumberRow, UserRow } from './user-records.ts'

export interface NewContact {
  readonly tenantId: TenantId
  readonly userId: UserId
  readonly value: string
  readonly at: Timestamp
  /** An id that it already has; a new one is made if it is left out. */
  readonly id?: string
}

/** What differs between the two kinds. */
export interface ContactKind<Row extends EmailAddressRow | PhoneNumberRow> {
  readonly table: 'email_addresses' | 'phone_numbers'
  readonly rows: Selection<Row>
  /** The user's column that names the primary contact. */
  readonly primaryColumn: 'primary_email_id' | 'primary_phone_id'
  readonly resource: 'email' | 'phone'
  /** The types of the events that record its changes. */
  readonly events: {
    readonly created: 'email.created' | 'phone.created'
    readonly verified: 'email.verification_completed' | 'phone.verification_completed'
    readonly madePrimary: 'email.made_primary' | 'phone.made_primary'
    readonly deleted: 'email.deleted' | 'phone.deleted'
    readonly additionRequested: 'email.addition_requested' | 'phone.addition_requested'
    readonly additionWithdrawn: 'email.addition_withdrawn' | 'phone.addition_withdrawn'
  }
  /** The personal data that events keep about its owner. */
  readonly personal: (value: string) => { readonly email: string } | { readonly phone: string }
  readonly valueOf: (row: Row) => string
  /** Returns the value in the form that is stored. */
  readonly canonical: (value: string) => string
  /** Returns the key on which uniqueness is decided. */
  readonly keyOf: (value: string) => string
  /** Returns the row of a new, unverified contact, and the statement that writes it. */
  readonly create: (contact: NewContact) => { readonly row: Row; readonly insert: Statement }
}

const columnsOf = ({ tenantId, userId, at }: NewContact) => ({
  tenant_id: tenantId,
  user_id: userId,
  verified_at: null,
  is_claimed: 0,
  created_at: at,
  updated_at: at,
})

export const emailKind: ContactKind<EmailAddressRow> = {
  table: 'email_addresses',
  rows: emailAddresses,
  primaryColumn: 'primary_email_id',
  resource: 'email',
  events: {
    created: 'email.created',
    verified: 'email.verification_completed',
    madePrimary: 'email.made_primary',
    deleted: 'email.deleted',
    additionRequested: 'email.addition_requested',
    additionWithdrawn: 'email.addition_withdrawn',
  },
  personal: (email) => ({ email }),
  valueOf: (row) => row.email,
  canonical: canonicalEmail,
  keyOf: (value) => emailKey(canonicalEmail(value)),
  create(contact) {
    const email = canonicalEmail(contact.value)
    const row = {
      ...columnsOf(contact),
      id: (contact.id ?? newId()) as EmailAddressId,
      email,
      email_key: emailKey(email),
    }
    return { row, insert: emailAddresses.insert(row) }
  },
}

export const phoneKind: ContactKind<PhoneNumberRow> = {
  table: 'phone_numbers',
  rows: phoneNumbers,
  primaryColumn: 'primary_phone_id',
  resource: 'phone',
  events: {
    created: 'phone.created',
    verified: 'phone.verification_completed',
    madePrimary: 'phone.made_primary',
    deleted: 'phone.deleted',
    additionRequested: 'phone.addition_requested',
    additionWithdrawn: 'phone.addition_withdrawn',
  },
  personal: (phone) => ({ phone }),
  valueOf: (row) => row.phone,
  canonical: canonicalPhone,
  keyOf: canonicalPhone,
  create(contact) {
    const row = {
      ...columnsOf(contact),
      id: (contact.id ?? newId()) as PhoneNumberId,
      phone: canonicalPhone(contact.value),
    }
    return { row, insert: phoneNumbers.insert(row) }
  },
}

type AnyKind = Pick<ContactKind<EmailAddressRow>, 'table' | 'primaryColumn'>
type RowsOf<Row extends object> = { readonly rows: Selection<Row> }

export const contactSource = <Row extends object>({ rows }: RowsOf<Row>, tenantId: TenantId, userId?: UserId) =>
  rows.source(
    userId === undefined ? sql`tenant_id = ${tenantId}` : sql`tenant_id = ${tenantId} AND user_id = ${userId}`,
  )

export const selectContact = <Row extends object>(db: Reader, { rows }: RowsOf<Row>, tenantId: TenantId, id: string) =>
  rows.first(db)`tenant_id = ${tenantId} AND id = ${id}`

/** Counts the contacts of one user: there are few, so that counting them costs no more than reading them. */
export const countContacts = (db: Reader, { table }: AnyKind, tenantId: TenantId, userId: UserId) =>
  db.first<{ count: number }>(sql`SELECT CAST(COUNT(*) AS INTEGER) AS count FROM ${sql.identifier(table)}
    WHERE tenant_id = ${tenantId} AND user_id = ${userId}`)

/** Selects the contact that replaces the primary one: the oldest verified, else the oldest. */
export const selectSuccessor = (db: Reader, { table }: AnyKind, tenantId: TenantId, userId: UserId) =>
  db.first<{ id: EmailAddressId | PhoneNumberId }>(sql`SELECT id FROM ${sql.identifier(table)}
    WHERE tenant_id = ${tenantId} AND user_id = ${userId}
    ORDER BY CASE WHEN verified_at IS NULL THEN 1 ELSE 0 END, created_at LIMIT 1`)

/** Marks what somebody entered at sign-up without proving to own it: whoever proves that later may be somebody else. */
export const markClaimed = ({ table }: AnyKind, tenantId: TenantId, userId: UserId): Statement =>
  sql`UPDATE ${sql.identifier(table)} SET is_claimed = 1
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND verified_at IS NULL`

/** Selects the claimed contacts of several users. */
export const selectClaimedOf = (db: Reader, { table }: AnyKind, tenantId: TenantId, userIds: readonly UserId[]) =>
  db.all<{ id: string; user_id: UserId }>(sql`SELECT id, user_id FROM ${sql.identifier(table)}
    WHERE tenant_id = ${tenantId} AND user_id IN (${sql.list(userIds)}) AND is_claimed = 1
    LIMIT ${userIds.length * contactsMax}`)

export async function isClaimed(db: Reader, { table }: AnyKind, tenantId: TenantId, id: string): Promise<boolean> {
  const row = await db.first<{ is_claimed: number }>(
    sql`SELECT is_claimed FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND id = ${id}`,
  )
  return row?.is_claimed === 1
}

/**
 * Selects the user's other contacts that an earlier holder of the account entered or verified. Contacts that the tenant set are not among
 * them.
 */
export const selectGivenContacts = <Row extends object>(
  db: Reader,
  { rows }: RowsOf<Row>,
  tenantId: TenantId,
  userId: UserId,
  exceptId: string,
) =>
  rows.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} AND id <> ${exceptId}
    AND (is_claimed = 1 OR verified_at IS NOT NULL) ORDER BY created_at LIMIT ${contactsMax}`

/** Changes nothing if it is verified already. */
export const updateVerified = ({ table }: AnyKind, tenantId: TenantId, id: string, at: Timestamp): Statement =>
  sql`UPDATE ${sql.identifier(table)} SET verified_at = ${at}, is_claimed = 0, updated_at = ${at}
    WHERE tenant_id = ${tenantId} AND id = ${id} AND verified_at IS NULL`

export const updateEmail = emailAddresses.update('email', 'email_key', 'verified_at', 'is_claimed', 'updated_at')

export const deleteContact = ({ table }: AnyKind, tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND id = ${id}`

export const updatePrimary = (
  { primaryColumn }: AnyKind,
  user: Pick<UserRow, 'tenant_id' | 'id'>,
  contactId: string | null,
  at: Timestamp,
): Statement =>
  sql`UPDATE users SET ${sql.identifier(primaryColumn)} = ${contactId}, updated_at = ${at}
    WHERE tenant_id = ${user.tenant_id} AND id = ${user.id}`
