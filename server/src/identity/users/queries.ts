import type { UserStatus } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import { contactsMax } from './contact-candidates.ts'
import type { EmailAddressId, PhoneNumberId, RoleId, TenantId, UserId } from '../../platform/ids.ts'

export interface UserRow {
  readonly tenant_id: TenantId
  readonly id: UserId
  readonly name: string | null
  readonly username: string | null
  readonly image_uri: string | null
  /** The file that the user has sent as picture, which `image_uri` leads to. */
  readonly picture_id: string | null
  readonly status: UserStatus
  readonly role_id: RoleId | null
  readonly primary_email_id: EmailAddressId | null
  readonly primary_phone_id: PhoneNumberId | null
  readonly public_meta: string
  readonly private_meta: string
  readonly personal_salt: string
  readonly last_sign_in_at: Timestamp | null
  readonly last_active_at: Timestamp | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface EmailAddressRow {
  readonly tenant_id: TenantId
  readonly id: EmailAddressId
  readonly user_id: UserId
  readonly email: string
  readonly verified_at: Timestamp | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface PhoneNumberRow {
  readonly tenant_id: TenantId
  readonly id: PhoneNumberId
  readonly user_id: UserId
  readonly phone: string
  readonly verified_at: Timestamp | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

const userColumns: Fragment = sql`tenant_id, id, name, username, image_uri, picture_id, status, role_id, primary_email_id,
  primary_phone_id, public_meta, private_meta, personal_salt, last_sign_in_at, last_active_at, created_at, updated_at`
export const emailColumns: Fragment = sql`tenant_id, id, user_id, email, verified_at, created_at, updated_at`
export const phoneColumns: Fragment = sql`tenant_id, id, user_id, phone, verified_at, created_at, updated_at`

export const selectUser = (db: Reader, tenantId: TenantId, userId: string) =>
  db.first<UserRow>(sql`SELECT ${userColumns} FROM users WHERE tenant_id = ${tenantId} AND id = ${userId}`)

/** Several users at once, for lists. */
export const selectUsers = (db: Reader, tenantId: TenantId, userIds: readonly string[]) =>
  db.all<UserRow>(sql`SELECT ${userColumns} FROM users
    WHERE tenant_id = ${tenantId} AND id IN (${sql.join(
      userIds.map((id) => sql`${id}`),
      ', ',
    )}) LIMIT ${userIds.length}`)

/** The addresses of several users, of each the oldest first; ordered by time alone they would be looked for among all. */
export const selectEmailAddressesOf = (db: Reader, tenantId: TenantId, userIds: readonly string[]) =>
  db.all<EmailAddressRow>(sql`SELECT ${emailColumns} FROM email_addresses
    WHERE tenant_id = ${tenantId} AND user_id IN (${sql.join(
      userIds.map((id) => sql`${id}`),
      ', ',
    )})
    ORDER BY user_id, created_at LIMIT ${userIds.length * contactsMax}`)

export const selectPhoneNumbersOf = (db: Reader, tenantId: TenantId, userIds: readonly string[]) =>
  db.all<PhoneNumberRow>(sql`SELECT ${phoneColumns} FROM phone_numbers
    WHERE tenant_id = ${tenantId} AND user_id IN (${sql.join(
      userIds.map((id) => sql`${id}`),
      ', ',
    )})
    ORDER BY user_id, created_at LIMIT ${userIds.length * contactsMax}`)

/** Who has an e-mail address, in one statement whether anybody has it or not. */
export const selectUserByEmailKey = (db: Reader, tenantId: TenantId, emailKey: string) =>
  db.first<Pick<UserRow, 'id' | 'name'>>(sql`SELECT u.id, u.name FROM email_addresses e
    JOIN users u ON u.tenant_id = e.tenant_id AND u.id = e.user_id
    WHERE e.tenant_id = ${tenantId} AND e.email_key = ${emailKey}`)

/** A user as inserted: with the keys that it is found by and never shown. */
export interface NewUserRow extends UserRow {
  readonly username_key: string | null
  readonly name_key: string | null
  readonly last_word_key: string | null
}

/** All of one tenant and its addresses: rows of one statement, so that a thousand cost few round trips. */
export const insertUsers = (rows: readonly NewUserRow[]): Statement => sql`INSERT INTO users
  (tenant_id, id, name, name_key, last_word_key, username, username_key, image_uri, status, role_id, primary_email_id,
   primary_phone_id, public_meta, private_meta, personal_salt, last_sign_in_at, last_active_at, created_at, updated_at)
  ${sql.values(
    rows.map((row) => [
      row.tenant_id,
      row.id,
      row.name,
      row.name_key,
      row.last_word_key,
      row.username,
      row.username_key,
      row.image_uri,
      row.status,
      row.role_id,
      row.primary_email_id,
      row.primary_phone_id,
      row.public_meta,
      row.private_meta,
      row.personal_salt,
      row.last_sign_in_at,
      row.last_active_at,
      row.created_at,
      row.updated_at,
    ]),
  )}`

interface NewContactRow {
  /** 1 for what who signed up gave without showing to own it; 0 unless said. */
  readonly is_claimed?: 0 | 1
}

export interface NewEmailAddressRow extends EmailAddressRow, NewContactRow {
  readonly email_key: string
}

export interface NewPhoneNumberRow extends PhoneNumberRow, NewContactRow {}

export const insertEmailAddresses = (rows: readonly NewEmailAddressRow[]): Statement => sql`INSERT INTO email_addresses
  (tenant_id, id, user_id, email, email_key, verified_at, is_claimed, created_at, updated_at)
  ${sql.values(
    rows.map((row) => [
      row.tenant_id,
      row.id,
      row.user_id,
      row.email,
      row.email_key,
      row.verified_at,
      row.is_claimed ?? 0,
      row.created_at,
      row.updated_at,
    ]),
  )}`

export const insertPhoneNumbers = (rows: readonly NewPhoneNumberRow[]): Statement => sql`INSERT INTO phone_numbers
  (tenant_id, id, user_id, phone, verified_at, is_claimed, created_at, updated_at)
  ${sql.values(
    rows.map((row) => [
      row.tenant_id,
      row.id,
      row.user_id,
      row.phone,
      row.verified_at,
      row.is_claimed ?? 0,
      row.created_at,
      row.updated_at,
    ]),
  )}`

/** Holds the user until the transaction ends: changes of one user and of what belongs to it come one after the other. */
export const selectUserForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<UserRow>(sql`SELECT ${userColumns} FROM users WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`)

export const updateUser = (row: NewUserRow): Statement => sql`UPDATE users SET name = ${row.name},
  name_key = ${row.name_key}, last_word_key = ${row.last_word_key}, username = ${row.username},
  username_key = ${row.username_key}, image_uri = ${row.image_uri}, picture_id = ${row.picture_id}, status = ${row.status}, role_id = ${row.role_id},
  public_meta = ${row.public_meta}, private_meta = ${row.private_meta}, updated_at = ${row.updated_at}
  WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`

export const deleteUser = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM users WHERE tenant_id = ${tenantId} AND id = ${id}`

/** The users of a list, newest first. */
export const userSource = (where: Fragment) => ({ columns: userColumns, table: sql`users`, where })

/** The users who were created at these times, newest first. */
export const selectUsersCreatedAt = (db: Reader, tenantId: TenantId, times: readonly string[]) =>
  db.all<UserRow>(sql`SELECT ${userColumns} FROM users
    WHERE tenant_id = ${tenantId} AND created_at IN (${sql.join(
      times.map((time) => sql`${time}`),
      ', ',
    )})
    ORDER BY created_at DESC LIMIT ${times.length}`)

/** The next so many users in the order of a list, after the one who was created at `before`. */
export const selectUsersBefore = (db: Reader, tenantId: TenantId, before: string | undefined, limit: number) =>
  db.all<UserRow>(sql`SELECT ${userColumns} FROM users
    WHERE tenant_id = ${tenantId} ${before === undefined ? sql`` : sql`AND created_at < ${before}`}
    ORDER BY created_at DESC LIMIT ${limit}`)

/** The users of one tenant who have these addresses. */
export const selectUserIdsByEmailKeys = (db: Reader, tenantId: TenantId, emailKeys: readonly string[]) =>
  db.all<{ email_key: string; user_id: UserId }>(sql`SELECT email_key, user_id FROM email_addresses
    WHERE tenant_id = ${tenantId} AND email_key IN (${sql.join(
      emailKeys.map((key) => sql`${key}`),
      ', ',
    )})
    LIMIT ${emailKeys.length}`)
