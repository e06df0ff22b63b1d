import type {
  EmailAddress,
  OrganizationUserSummary,
  PhoneNumber,
  UserDetails,
  UserRole,
  UserSummary,
} from '@bailiwick/contract'
import { fromJson } from '../../platform/json-text.ts'
import type { RoleRow } from '../../tenancy/roles/find-role.ts'
import type { EmailAddressRow, PhoneNumberRow, UserRow } from './user-records.ts'

/** A user with all contacts. */
export interface UserWithContacts {
  readonly row: UserRow
  readonly emailAddresses: readonly EmailAddressRow[]
  readonly phoneNumbers: readonly PhoneNumberRow[]
}

/** A user with what is shown in addition. */
export interface UserRecord extends UserWithContacts {
  /** The role that the user has now. The row also has one that has ended and is not removed yet. */
  readonly role: RoleRow | undefined
}

export const presentEmailAddress = (row: EmailAddressRow): EmailAddress => ({
  id: row.id,
  tenantId: row.tenant_id,
  userId: row.user_id,
  email: row.email,
  verifiedAt: row.verified_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const presentPhoneNumber = (row: PhoneNumberRow): PhoneNumber => ({
  id: row.id,
  tenantId: row.tenant_id,
  userId: row.user_id,
  phone: row.phone,
  verifiedAt: row.verified_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const presentUserRole = (row: RoleRow): UserRole => ({
  id: row.id,
  name: row.name,
  description: row.description,
  permissions: fromJson(row.permissions),
})

export function presentUser({ row, emailAddresses, phoneNumbers, role }: UserRecord): UserDetails {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    emailAddresses: emailAddresses.map(presentEmailAddress),
    phoneNumbers: phoneNumbers.map(presentPhoneNumber),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    imageUri: row.image_uri,
    firstName: row.first_name,
    lastName: row.last_name,
    timezone: row.timezone,
    locale: row.locale,
    lastSignInAt: row.last_sign_in_at,
    lastActiveAt: row.last_active_at,
    username: row.username,
    status: row.status,
    roleId: role?.id ?? null,
    roleExpiresAt: role === undefined ? null : row.role_expires_at,
    role: role === undefined ? null : presentUserRole(role),
    primaryEmailId: row.primary_email_id,
    primaryPhoneId: row.primary_phone_id,
    publicMeta: fromJson(row.public_meta),
    privateMeta: fromJson(row.private_meta),
    isAnonymous: row.is_anonymous === 1,
  }
}

/** As much of a user's record as tells who it is. */
export interface NamedUser {
  readonly row: Pick<UserRow, 'id' | 'name' | 'username' | 'primary_email_id' | 'primary_phone_id'>
  readonly emailAddresses: readonly Pick<EmailAddressRow, 'id' | 'email' | 'verified_at'>[]
  readonly phoneNumbers: readonly Pick<PhoneNumberRow, 'id' | 'phone'>[]
}

/** Returns what a user without a name is called: username, else primary e-mail, else phone, else id. */
function identifierOf({ row, emailAddresses, phoneNumbers }: NamedUser): string {
  const email = emailAddresses.find((each) => each.id === row.primary_email_id) ?? emailAddresses[0]
  const phone = phoneNumbers.find((each) => each.id === row.primary_phone_id) ?? phoneNumbers[0]
  return row.username ?? email?.email ?? phone?.phone ?? row.id
}

export function presentUserSummary(user: NamedUser): UserSummary {
  return {
    id: user.row.id,
    emailAddresses: user.emailAddresses.map(({ id, email, verified_at }) => ({ id, email, verifiedAt: verified_at })),
    primaryEmailId: user.row.primary_email_id,
    name: user.row.name ?? identifierOf(user),
  }
}

export function presentOrganizationUserSummary(user: UserWithContacts): OrganizationUserSummary {
  const identifier = identifierOf(user)
  return {
    id: user.row.id,
    name: user.row.name ?? identifier,
    identifier,
    imageUri: user.row.image_uri,
    createdAt: user.row.created_at,
    updatedAt: user.row.updated_at,
  }
}

/** Returns the label that an authenticator app shows beside the tenant's name, by which people recognise their accounts. */
export function accountLabel({ row, emailAddresses, phoneNumbers }: UserWithContacts): string {
  const email = emailAddresses.find(({ id }) => id === row.primary_email_id)?.email
  const phone = phoneNumbers.find(({ id }) => id === row.primary_phone_id)?.phone
  return email ?? row.username ?? phone ?? row.name ?? row.id
}
