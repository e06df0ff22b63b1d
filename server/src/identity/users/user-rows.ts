// The rows of new users, and the statements that write them: for one user, or for many at once in an import.
import {
  type CreateUser,
  type UserStatus,
  canonicalEmail,
  canonicalLocale,
  canonicalPhone,
  canonicalUsername,
  emailKey,
  usernameKey,
} from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { WriteContext } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { type NewEvent, eventsStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { fromJson, metaText } from '../../platform/json-text.ts'
import { arrivalCounts } from '../../platform/statistics/day-counters.ts'
import type { RoleRow } from '../../tenancy/roles/find-role.ts'
import type { Deps } from '../deps.ts'
import { type NewPasswordRow, insertPasswords } from '../passwords/passwords.ts'
import { nameKeys } from '../search/search-keys.ts'
import { insertTerms, userTerms } from '../search/term-tables.ts'
import type { UserRecord } from './present.ts'
import { addCounts, countsOf } from './user-counters.ts'
import * as queries from './user-records.ts'
import { termsOfUser } from './user-terms.ts'

export interface NewUser extends Omit<CreateUser, 'tenantId'> {
  readonly phoneVerified?: boolean
  readonly emailClaimed?: boolean
  readonly phoneClaimed?: boolean
  /** Active if left out. */
  readonly status?: UserStatus
  /** Whether the user has not signed up yet. */
  readonly isAnonymous?: boolean
}

/** What was made before the transaction: what takes time, and what is random. */
export interface PreparedUser {
  readonly id: UserId
  readonly salt: string
  readonly password: Pick<NewPasswordRow, 'hash' | 'kind'> | undefined
  readonly role: RoleRow | undefined
  /** When the user loses the role; never if left out. */
  readonly roleEnd?: Timestamp | null
  /** Now if left out. */
  readonly createdAt?: Timestamp
}

export interface UserRows {
  readonly user: queries.UserRow
  readonly email: queries.EmailAddressRow | undefined
  readonly phone: queries.PhoneNumberRow | undefined
  readonly password: NewPasswordRow | undefined
  readonly event: NewEvent
}

/** Returns the name of a user who was created with its parts alone. */
function joinedName({ firstName, lastName }: Pick<NewUser, 'firstName' | 'lastName'>): string | null {
  const parts = [firstName, lastName].filter((part) => typeof part === 'string')
  return parts.length === 0 ? null : parts.join(' ').slice(0, 256)
}

function userRow(
  tenantId: TenantId,
  input: NewUser,
  { id, salt, role, roleEnd = null, createdAt }: PreparedUser,
  at: Timestamp,
): queries.UserRow {
  const username = input.username === undefined ? null : canonicalUsername(input.username)
  const name = input.name ?? joinedName(input)
  return {
    tenant_id: tenantId,
    id,
    name,
    ...nameKeys(name),
    username,
    username_key: username === null ? null : usernameKey(username),
    search_terms: null,
    image_uri: null,
    first_name: input.firstName ?? null,
    last_name: input.lastName ?? null,
    timezone: input.timezone ?? null,
    locale: input.locale === undefined || input.locale === null ? null : canonicalLocale(input.locale),
    picture_id: null,
    status: input.status ?? 'active',
    role_id: role?.id ?? null,
    role_expires_at: role === undefined ? null : roleEnd,
    primary_email_id: input.email === undefined ? null : newId<'EmailAddressId'>(),
    primary_phone_id: input.phone === undefined ? null : newId<'PhoneNumberId'>(),
    public_meta: metaText(input.publicMeta),
    private_meta: metaText(input.privateMeta),
    personal_salt: salt,
    last_sign_in_at: null,
    last_active_at: null,
    is_anonymous: input.isAnonymous === true ? 1 : 0,
    created_at: createdAt ?? at,
    updated_at: at,
  }
}

function emailRow(deps: Deps, user: queries.UserRow, input: NewUser): queries.EmailAddressRow | undefined {
  if (input.email === undefined || user.primary_email_id === null) return undefined
  const at = deps.clock.next()
  const email = canonicalEmail(input.email)
  return {
    tenant_id: user.tenant_id,
    id: user.primary_email_id,
    user_id: user.id,
    email,
    email_key: emailKey(email),
    verified_at: input.emailVerified === true ? at : null,
    is_claimed: input.emailClaimed === true ? 1 : 0,
    created_at: at,
    updated_at: at,
  }
}

function phoneRow(deps: Deps, user: queries.UserRow, input: NewUser): queries.PhoneNumberRow | undefined {
  if (input.phone === undefined || user.primary_phone_id === null) return undefined
  const at = deps.clock.next()
  return {
    tenant_id: user.tenant_id,
    id: user.primary_phone_id,
    user_id: user.id,
    phone: canonicalPhone(input.phone),
    verified_at: input.phoneVerified === true ? at : null,
    is_claimed: input.phoneClaimed === true ? 1 : 0,
    created_at: at,
    updated_at: at,
  }
}

/** Returns every row of a new user; called again for each try of a write, because it reads the time. */
export function newUserRows(
  deps: Deps,
  tenantId: TenantId,
  input: NewUser,
  prepared: PreparedUser,
  actor: Actor,
): UserRows {
  const at = deps.clock.next()
  const named = userRow(tenantId, input, prepared, at)
  const email = emailRow(deps, named, input)
  const user = { ...named, search_terms: termsOfUser(named, email === undefined ? [] : [email.email]) }
  const phone = phoneRow(deps, user, input)
  const { password } = prepared
  return {
    user,
    email,
    phone,
    password: password && { tenant_id: tenantId, user_id: user.id, ...password, created_at: deps.clock.now() },
    event: {
      tenantId,
      type: 'user.created',
      actor,
      subjectId: user.id,
      data: {
        roleId: user.role_id,
        hasPassword: password !== undefined,
        ...(user.status === 'active' ? {} : { status: user.status }),
        ...(user.is_anonymous === 1 ? { isAnonymous: true } : {}),
      },
      personal: {
        salt: user.personal_salt,
        data: { name: user.name, username: user.username, email: email?.email ?? null, phone: phone?.phone ?? null },
      },
    },
  }
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined
}

/** Writes the rows of users of one tenant, all or nothing. */
export function insertStatements(
  { clock, personal }: Deps,
  context: WriteContext,
  tenantId: TenantId,
  rows: readonly UserRows[],
): Statement[] {
  const emails = rows.map((each) => each.email).filter(isDefined)
  const phones = rows.map((each) => each.phone).filter(isDefined)
  const passwords = rows.map((each) => each.password).filter(isDefined)
  const counts = addCounts(
    ...rows.map((each) => countsOf(each.user, 1)),
    ...rows.map(({ user }) => arrivalCounts(user.created_at, user.updated_at)),
    { email_addresses: emails.length },
    { phone_numbers: phones.length },
  )
  return [
    queries.insertUsers(rows.map((each) => each.user)),
    ...insertTerms(
      userTerms,
      rows.map((each) => each.user),
    ),
    ...(emails.length === 0 ? [] : [queries.insertEmailAddresses(emails)]),
    ...(phones.length === 0 ? [] : [queries.insertPhoneNumbers(phones)]),
    ...(passwords.length === 0 ? [] : [insertPasswords(passwords)]),
    ...(counts === undefined ? [] : [addToCounters(context, tenantId, counts)]),
    eventsStatement(
      clock,
      personal,
      rows.map((each) => each.event),
    ),
  ]
}

export const recordOf = ({ user, email, phone }: UserRows, role: RoleRow | undefined): UserRecord => ({
  row: user,
  emailAddresses: email === undefined ? [] : [email],
  phoneNumbers: phone === undefined ? [] : [phone],
  role,
})

/**
 * Writes an anonymous user who signs up: what is new of them replaces what was there, and the user keeps its id.
 * @param before the user as the transaction holds it.
 * @param after rows that were made for the same id.
 */
export function upgradeStatements(
  { clock, personal }: Deps,
  context: WriteContext,
  before: queries.UserRow,
  { user, email, phone, password, event }: UserRows,
): { readonly statements: Statement[]; readonly row: queries.UserRow } {
  const { tenant_id: tenantId } = before
  const name = user.name ?? before.name
  const username = user.username ?? before.username
  const row: queries.UserRow = {
    ...before,
    name,
    ...nameKeys(name),
    username,
    username_key: username === null ? null : usernameKey(username),
    first_name: user.first_name ?? before.first_name,
    last_name: user.last_name ?? before.last_name,
    timezone: user.timezone ?? before.timezone,
    locale: user.locale ?? before.locale,
    ...(user.role_id === null ? {} : { role_id: user.role_id, role_expires_at: user.role_expires_at }),
    primary_email_id: user.primary_email_id ?? before.primary_email_id,
    primary_phone_id: user.primary_phone_id ?? before.primary_phone_id,
    public_meta: mergedMeta(before.public_meta, user.public_meta),
    private_meta: mergedMeta(before.private_meta, user.private_meta),
    is_anonymous: 0,
    updated_at: user.updated_at,
  }
  const contacts = {
    ...(email === undefined ? {} : { email_addresses: 1 }),
    ...(phone === undefined ? {} : { phone_numbers: 1 }),
  }
  const counts = addCounts(countsOf(before, -1), countsOf(row, 1), contacts)
  return {
    row,
    statements: [
      queries.upgradeUser(row),
      ...(email === undefined ? [] : [queries.insertEmailAddresses([email])]),
      ...(phone === undefined ? [] : [queries.insertPhoneNumbers([phone])]),
      ...(password === undefined ? [] : [insertPasswords([password])]),
      ...(counts === undefined ? [] : [addToCounters(context, tenantId, counts)]),
      eventsStatement(clock, personal, [
        upgradedEvent(row, event.actor, {
          email: email?.email,
          phone: phone?.phone,
          hasPassword: password !== undefined,
        }),
      ]),
    ],
  }
}

interface Upgraded {
  readonly email: string | undefined
  readonly phone: string | undefined
  readonly hasPassword: boolean
}

const upgradedEvent = (row: queries.UserRow, actor: Actor, { email, phone, hasPassword }: Upgraded): NewEvent => ({
  tenantId: row.tenant_id,
  type: 'user.upgraded',
  actor,
  subjectId: row.id,
  data: { roleId: row.role_id, hasPassword },
  personal: {
    salt: row.personal_salt,
    data: { name: row.name, username: row.username, email: email ?? null, phone: phone ?? null },
  },
})

/** Returns the properties of both, those of the later one where both have one. */
function mergedMeta(before: queries.UserRow['public_meta'], after: queries.UserRow['public_meta']) {
  const [earlier, later] = [fromJson(before), fromJson(after)]
  return isObject(earlier) && isObject(later) ? metaText({ ...earlier, ...later }) : before
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Writes that an anonymous user can sign in from now on. */
export function markUpgraded(
  { clock, personal }: Deps,
  context: WriteContext,
  { row, emailAddresses, phoneNumbers }: UserRecord,
  actor: Actor,
): Statement[] {
  const after = { ...row, is_anonymous: 0, updated_at: clock.now() }
  const counts = addCounts(countsOf(row, -1), countsOf(after, 1))
  const event = upgradedEvent(row, actor, {
    email: emailAddresses.find(({ id }) => id === row.primary_email_id)?.email,
    phone: phoneNumbers.find(({ id }) => id === row.primary_phone_id)?.phone,
    hasPassword: false,
  })
  return [
    queries.upgradeUser(after),
    ...(counts === undefined ? [] : [addToCounters(context, row.tenant_id, counts)]),
    eventsStatement(clock, personal, [event]),
  ]
}
