import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { within } from '../../platform/http/ends.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { contactsMax } from './contact-candidates.ts'
import { emailAddresses, phoneNumbers, users } from './tables.ts'

export type UserRow = RowOf<typeof users>
export type EmailAddressRow = RowOf<typeof emailAddresses>
export type PhoneNumberRow = RowOf<typeof phoneNumbers>

export const selectUser = users.byKey
const standings = users.only('id', 'status', 'role_id', 'role_expires_at')
export type StandingRow = RowOf<typeof standings>
export const selectStanding = (db: Reader, tenantId: TenantId, id: string) =>
  standings.first(db)`tenant_id = ${tenantId} AND id = ${id}`
/** Holds the user until the transaction ends, so that changes of one user and of what belongs to them happen one after the other. */
export const selectUserForUpdate = users.lock
/** @param id a subselect of the user's id. */
export const selectFoundUserForUpdate = (db: Reader, tenantId: TenantId, id: Fragment) =>
  users.first(db)`tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`
/** The role of a user, within another statement. */
export const selectRoleId = (tenantId: TenantId, id: string): Fragment =>
  sql`SELECT role_id FROM users WHERE tenant_id = ${tenantId} AND id = ${id}`
/** Selects several users at once, for lists. */
export const selectUsers = users.byIds
/** The source of a list of users, newest first. */
export const userSource = users.source
/** These write users of one tenant and their addresses as rows of one statement each, so that a thousand cost few round trips. */
export const insertUsers = users.insertAll
export const insertEmailAddresses = emailAddresses.insertAll
export const insertPhoneNumbers = phoneNumbers.insertAll
export const deleteUser = users.delete
export const updateUser = users.update(
  'name',
  'name_key',
  'last_word_key',
  'username',
  'username_key',
  'image_uri',
  'first_name',
  'last_name',
  'timezone',
  'locale',
  'picture_id',
  'status',
  'role_id',
  'role_expires_at',
  'public_meta',
  'private_meta',
  'updated_at',
)

/** What changes of an anonymous user who signs up. */
export const upgradeUser = users.update(
  'name',
  'name_key',
  'last_word_key',
  'username',
  'username_key',
  'first_name',
  'last_name',
  'timezone',
  'locale',
  'role_id',
  'role_expires_at',
  'primary_email_id',
  'primary_phone_id',
  'public_meta',
  'private_meta',
  'is_anonymous',
  'updated_at',
)

const byTime = (one: { readonly created_at: string }, other: { readonly created_at: string }) =>
  one.created_at < other.created_at ? -1 : 1

/**
 * Limits what is selected of a list by its keys, with the number in the text. Neither it nor an order may make PostgreSQL walk a whole index and
 * pick out the rows: where it does not know yet how much a tenant has got, it takes that for cheaper than a look-up of each key.
 */
const limitOfKeys = (keys: readonly string[], each = 1) => sql.limit(keys.length * each)

/** Selects the addresses of several users, oldest first. */
export const selectEmailAddressesOf = async (db: Reader, tenantId: TenantId, userIds: readonly string[]) =>
  (
    await emailAddresses.all(db)`tenant_id = ${tenantId} AND user_id IN (${sql.list(userIds)})
      ${limitOfKeys(userIds, contactsMax)}`
  ).toSorted(byTime)

/** Selects the phone numbers of several users, oldest first. */
export const selectPhoneNumbersOf = async (db: Reader, tenantId: TenantId, userIds: readonly string[]) =>
  (
    await phoneNumbers.all(db)`tenant_id = ${tenantId} AND user_id IN (${sql.list(userIds)})
      ${limitOfKeys(userIds, contactsMax)}`
  ).toSorted(byTime)

/** An address of a user, and as much of the user as tells who it is. */
export interface UserWithAddressRow
  extends Pick<UserRow, 'username' | 'primary_email_id' | 'primary_phone_id'>, Pick<EmailAddressRow, 'verified_at'> {
  readonly user_id: UserId
  readonly user_name: string | null
  /** Null, as the two others, in the only row of a user without an address. */
  readonly email_id: EmailAddressRow['id'] | null
  readonly email: string | null
  readonly email_created_at: string | null
}

const namesAndAddresses = sql`u.name AS user_name, u.username, u.primary_email_id, u.primary_phone_id,
  e.id AS email_id, e.email, e.verified_at, e.created_at AS email_created_at`
const addressesOfUser = sql`email_addresses e ON e.tenant_id = u.tenant_id AND e.user_id = u.id`

/** Selects what summaries of users show: a row for each address. */
export const selectUsersWithAddresses = (db: Reader, tenantId: TenantId, userIds: readonly string[]) =>
  db.all<UserWithAddressRow>(sql`SELECT u.id AS user_id, ${namesAndAddresses} FROM users u LEFT JOIN ${addressesOfUser}
    WHERE u.tenant_id = ${tenantId} AND u.id IN (${sql.list(userIds)})
    ${limitOfKeys(userIds, contactsMax)}`)

/**
 * Selects the rows of a list, in their order, each with what the summary of its user shows: once for each address. Within a CROSS JOIN,
 * SQLite reads the tables in the order in which they are written. That the tenant is named lets Citus ask its shard alone.
 */
export const selectWithUsersAndAddresses = <Row extends { readonly created_at: string }>(
  db: Reader,
  userTenantId: TenantId,
  rows: Fragment,
) =>
  db.all<Row & UserWithAddressRow>(sql`SELECT listed.*, ${namesAndAddresses}
    FROM (${rows}) AS listed CROSS JOIN users u LEFT JOIN ${addressesOfUser}
    WHERE u.tenant_id = ${userTenantId} AND u.id = listed.user_id ORDER BY listed.created_at DESC`)

/** Selects users, of one tenant or of all, whose role has ended. */
export const selectEndedRoles = (db: Reader, tenant: TenantId | undefined, now: Timestamp, limit: number) =>
  db.all<Pick<UserRow, 'tenant_id' | 'id'>>(sql`SELECT tenant_id, id FROM users WHERE role_expires_at <= ${now}
    ${within(tenant)} LIMIT ${limit}`)

/** Finds the user who has an e-mail address, in one statement whether or not anybody has it. */
export const selectUserByEmailKey = (db: Reader, tenantId: TenantId, emailKey: string) =>
  db.first<Pick<UserRow, 'id' | 'name'>>(sql`SELECT u.id, u.name FROM email_addresses e
    JOIN users u ON u.tenant_id = e.tenant_id AND u.id = e.user_id
    WHERE e.tenant_id = ${tenantId} AND e.email_key = ${emailKey}`)

/** Selects the users who were created at these times, newest first. */
export const selectUsersCreatedAt = async (db: Reader, tenantId: TenantId, times: readonly string[]) =>
  (await users.all(db)`tenant_id = ${tenantId} AND created_at IN (${sql.list(times)}) ${limitOfKeys(times)}`).toSorted(
    (one, other) => byTime(other, one),
  )

/** Selects the next users in the order of a list, after the one who was created at `before`. */
export const selectUsersBefore = (db: Reader, tenantId: TenantId, before: string | undefined, limit: number) =>
  users.all(db)`tenant_id = ${tenantId} ${before === undefined ? sql`` : sql`AND created_at < ${before}`}
    ORDER BY created_at DESC LIMIT ${limit}`

/** Selects the metadata that everybody may see, of users in the order of the list. */
export const selectMetaBefore = (db: Reader, tenantId: TenantId, before: string | undefined, limit: number) =>
  db.all<Pick<UserRow, 'public_meta' | 'created_at'>>(sql`SELECT public_meta, created_at FROM users
    WHERE tenant_id = ${tenantId} ${before === undefined ? sql`` : sql`AND created_at < ${before}`}
    ORDER BY created_at DESC LIMIT ${limit}`)

/** Selects the users of one tenant who have these addresses. */
export const selectUserIdsByEmailKeys = (db: Reader, tenantId: TenantId, emailKeys: readonly string[]) =>
  db.all<{ email_key: string; user_id: UserId }>(sql`SELECT email_key, user_id FROM email_addresses
    WHERE tenant_id = ${tenantId} AND email_key IN (${sql.list(emailKeys)}) LIMIT ${emailKeys.length}`)
