import type { Static } from 'typebox'
import {
  anyJson,
  array,
  boolean,
  metaJson,
  id,
  nullable,
  nullableOneOf,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  plainId,
  text,
  timestamp,
} from '../../schema.ts'

export const userStatuses = ['active', 'inactive', 'suspended'] as const
export type UserStatus = (typeof userStatuses)[number]

/** An e-mail address of a user. */
export const EmailAddress = object({
  id: text(),
  tenantId: text(),
  userId: text(),
  email: text({ format: 'email' }),
  verifiedAt: nullableTimestamp(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type EmailAddress = Static<typeof EmailAddress>

/** A phone number of a user. */
export const PhoneNumber = object({
  id: text(),
  tenantId: text(),
  userId: text(),
  phone: text(),
  verifiedAt: nullableTimestamp(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type PhoneNumber = Static<typeof PhoneNumber>

/** A role as included in a user. */
export const UserRole = object({ id: text(), name: text(), description: nullableText(), permissions: array(text()) })
export type UserRole = Static<typeof UserRole>

/** An account in a tenant. */
export const User = object({
  id: text(),
  tenantId: text(),
  name: nullableText(),
  emailAddresses: array(EmailAddress),
  phoneNumbers: array(PhoneNumber),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  imageUri: optional(nullableText()),
  lastSignInAt: optional(nullableTimestamp()),
  lastActiveAt: optional(nullableTimestamp()),
  username: optional(nullableText()),
  status: optional(nullableOneOf(userStatuses)),
  roleId: optional(nullableText()),
  role: optional(nullable(UserRole)),
  primaryEmailId: optional(nullableText()),
  primaryPhoneId: optional(nullableText()),
  publicMeta: optional(anyJson()),
  privateMeta: optional(anyJson()),
})
export type User = Static<typeof User>

/** A user as included in a tenant member or tenant invitation; `name` falls back to username, e-mail, phone, id. */
export const UserSummary = object({
  id: text(),
  emailAddresses: array(object({ id: text(), email: text({ format: 'email' }), verifiedAt: nullableTimestamp() })),
  primaryEmailId: nullableText(),
  name: text(),
})
export type UserSummary = Static<typeof UserSummary>

/** A user as included in an organization member or invitation; `name` and `identifier` are never null. */
export const OrganizationUserSummary = object({
  id: text(),
  name: text(),
  identifier: text(),
  imageUri: nullableText(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type OrganizationUserSummary = Static<typeof OrganizationUserSummary>

export const personName = () => text({ minLength: 1, maxLength: 256, format: 'text', pattern: '\\S' })

const namePart = () => nullableText({ minLength: 1, maxLength: 256, format: 'text', pattern: '\\S' })

/** What users say about themselves beside their name. */
export const personDetails = {
  firstName: optional(namePart()),
  lastName: optional(namePart()),
  timezone: optional(
    nullableText({
      format: 'timezone',
      maxLength: 64,
      description: 'The time zone for dates on pages, as an IANA name: Europe/Vienna',
    }),
  ),
  locale: optional(
    nullableText({
      format: 'locale',
      maxLength: 35,
      description:
        'The language of messages and pages, as a BCP 47 tag: de-AT. Without it, the language of the browser is used',
    }),
  ),
}

/** The end of a role in the tenant; accepted in the same forms as cursors. */
const roleEnd = {
  roleExpiresAt: optional(
    nullableText({
      format: 'cursor',
      description:
        'When the user loses the role; null, the default, for never. A request that changes the role without this property removes the end',
    }),
  ),
}

/** A user as the operations on one user, lists and exports show it; the answer that creates one leaves these six out. */
export const UserDetails = object({
  ...User.properties,
  firstName: nullableText(),
  lastName: nullableText(),
  timezone: nullableText({ description: 'An IANA time zone' }),
  locale: nullableText({ description: 'A BCP 47 language tag' }),
  isAnonymous: boolean({ description: 'Whether the user has not signed up yet' }),
  roleExpiresAt: nullableTimestamp({ description: 'When the user loses the role; null for never' }),
})
export type UserDetails = Static<typeof UserDetails>

/** What a user is created with. */
export const CreateUser = object({
  tenantId: id(),
  name: optional(personName()),
  username: optional(text({ format: 'username' })),
  roleId: optional(plainId()),
  ...roleEnd,
  phone: optional(text({ format: 'phone', maxLength: 64 })),
  password: optional(text({ format: 'password' })),
  email: optional(text({ format: 'email' })),
  emailVerified: optional(
    boolean({
      description:
        'Whether the e-mail address counts as verified, because you know that it is theirs. Off by default: a password then signs in only after the address was verified.',
    }),
  ),
  ...personDetails,
  publicMeta: optional(metaJson()),
  privateMeta: optional(metaJson()),
})
export type CreateUser = Static<typeof CreateUser>

/** The properties of a user to change. */
export const UpdateUser = object({
  name: optional(nullableText({ minLength: 1, maxLength: 256, format: 'text', pattern: '\\S' })),
  username: optional(nullableText({ format: 'username' })),
  imageUri: optional(nullableText({ format: 'web-uri', maxLength: 2048 })),
  roleId: optional(nullableText({ minLength: 1, maxLength: 256 })),
  ...roleEnd,
  status: optional(oneOf(userStatuses)),
  ...personDetails,
  publicMeta: optional(metaJson()),
  privateMeta: optional(metaJson()),
})
export type UpdateUser = Static<typeof UpdateUser>

/** The e-mail address to add to a user. */
export const CreateEmailAddress = object({ tenantId: id(), userId: plainId(), email: text({ format: 'email' }) })
export type CreateEmailAddress = Static<typeof CreateEmailAddress>

/** The phone number to add to a user. */
export const CreatePhoneNumber = object({
  tenantId: id(),
  userId: plainId(),
  phone: text({ format: 'phone', maxLength: 64 }),
})
export type CreatePhoneNumber = Static<typeof CreatePhoneNumber>
