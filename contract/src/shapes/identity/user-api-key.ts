// Keys that end users make for programs that call the tenant's own API. The management interface refuses them.
import type { Static } from 'typebox'
import {
  array,
  boolean,
  id,
  nullableOneOf,
  nullableText,
  nullableTimestamp,
  object,
  optional,
  plainId,
  text,
  timestamp,
} from '../../schema.ts'

const scopeName = text({ minLength: 1, maxLength: 128 })
const scopesMax = 100
const name = text({ minLength: 1, maxLength: 64, format: 'text', pattern: '\\S' })
const expiresAt = optional(
  nullableText({
    format: 'cursor',
    description:
      'When the key expires; by default after userApiKeyDaysMax days, which is also the latest. A key without it never expires',
  }),
)
const scopes = array(scopeName, {
  maxItems: scopesMax,
  uniqueItems: true,
  description: 'Names of scopes of the resources of the tenant. A key without any only says whose it is',
})

const userApiKeyProperties = {
  id: text(),
  tenantId: text(),
  userId: nullableText({ description: 'The user whose key it is; null for the key of an organization' }),
  organizationId: nullableText({
    description: 'The organization whose key it is or, beside `userId`, in which the user acts with it',
  }),
  name: text(),
  scopes: array(text(), { description: 'What the key was given; its rights are never more than those of its owner' }),
  prefix: text({ description: 'What the key begins with' }),
  last4: text({ description: 'The last four characters of the key, to distinguish keys' }),
  creatorId: nullableText({ description: 'The user who created it; null if a server of the tenant did' }),
  expiresAt: nullableTimestamp(),
  lastUsedAt: nullableTimestamp({ description: 'When it was last checked, updated at most once an hour' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

/** A key of a user or of an organization, without the key itself. */
export const UserApiKey = object(userApiKeyProperties)
export type UserApiKey = Static<typeof UserApiKey>

/** A new key of a user or of an organization, with the key itself. */
export const UserApiKeyWithKey = object({ ...userApiKeyProperties, key: text({ description: 'Shown only here' }) })
export type UserApiKeyWithKey = Static<typeof UserApiKeyWithKey>

/** What a key of a user or of an organization is created with. */
export const CreateUserApiKey = object({
  tenantId: id(),
  userId: optional(
    plainId({ description: 'The user whose key it is. Without it, the key is that of the organization' }),
  ),
  organizationId: optional(
    plainId({ description: 'The organization whose key it is or, beside `userId`, in which the user acts with it' }),
  ),
  name,
  scopes: optional(scopes),
  expiresAt,
})
export type CreateUserApiKey = Static<typeof CreateUserApiKey>

/** What a user creates an own key with. */
export const CreateOwnApiKey = object({
  name,
  scopes: optional(scopes),
  expiresAt,
  organizationId: optional(
    plainId({
      description: 'An organization of the user in which the key acts, with no more rights than the user has there',
    }),
  ),
})
export type CreateOwnApiKey = Static<typeof CreateOwnApiKey>

/** What a member creates a key of the organization with. */
export const CreateOrganizationApiKey = object({ name, scopes: optional(scopes), expiresAt })
export type CreateOrganizationApiKey = Static<typeof CreateOrganizationApiKey>

/** What a key is replaced with. */
export const RotateUserApiKey = object({ expiresAt })
export type RotateUserApiKey = Static<typeof RotateUserApiKey>

const key = text({ minLength: 1, maxLength: 256, description: 'The key as the caller of your API sent it' })

/** The key to check. */
export const VerifyUserApiKey = object({
  tenantId: id(),
  key,
  requiredScopes: optional(array(scopeName, { maxItems: scopesMax, description: 'The scopes that it must have' })),
})
export type VerifyUserApiKey = Static<typeof VerifyUserApiKey>

/** Which key a gateway asks about: its own tenant's, with these scopes. */
export const AuthorizeUserApiKey = object({
  tenantId: id(),
  requiredScopes: optional(
    text({
      pattern: '^[!#-\\[\\]-~]+(?: [!#-\\[\\]-~]+)*$',
      maxLength: 2048,
      description: 'The scopes that the key must have, with a space between them',
    }),
  ),
})

/** Whether a key is valid now, whose it is, and what it may do. */
export const UserApiKeyCheck = object({
  valid: boolean(),
  reason: nullableOneOf(['unknown', 'missing_scopes'], {
    description:
      'Why it is not valid. `unknown`: there is no such key, it has ended or expired, or its owner is not active; `missing_scopes`: it lacks one of requiredScopes',
  }),
  keyId: nullableText(),
  name: nullableText(),
  userId: nullableText(),
  organizationId: nullableText(),
  scopes: array(text(), {
    description: 'What the key may do at this moment: those of its scopes that its owner has as permissions',
  }),
  expiresAt: nullableTimestamp(),
})
export type UserApiKeyCheck = Static<typeof UserApiKeyCheck>

/** A key that was found where it must not be. */
export const ReportUserApiKey = object({
  tenantId: id(),
  key,
  foundAt: optional(text({ maxLength: 2000, format: 'text', description: 'Where it was found, such as a URL' })),
})
export type ReportUserApiKey = Static<typeof ReportUserApiKey>
