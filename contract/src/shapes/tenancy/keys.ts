import type { Static } from 'typebox'
import { scopes } from '../../permissions.ts'
import { array, id, nullableText, nullableTimestamp, object, oneOf, optional, text, timestamp } from '../../schema.ts'

const apiKeyProperties = {
  id: text(),
  tenantId: text(),
  name: text(),
  scopes: array(oneOf(scopes)),
  last4: text({ description: 'The last four characters of the key, to distinguish keys' }),
  expiresAt: nullableTimestamp(),
  lastUsedAt: nullableTimestamp({ description: 'Updated at most once a minute' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

/** A key that may use a part of the interface, without the key itself. */
export const ApiKey = object(apiKeyProperties)
export type ApiKey = Static<typeof ApiKey>

/** A new API key with the key itself, which is shown only here. */
export const ApiKeyWithKey = object({
  ...apiKeyProperties,
  key: text({ description: 'Sent as Authorization: Bearer ak_…; shown only here' }),
})
export type ApiKeyWithKey = Static<typeof ApiKeyWithKey>

/** What an API key is created with. */
export const CreateApiKey = object({
  tenantId: id(),
  name: text({ minLength: 1, maxLength: 64, format: 'text', pattern: '\\S' }),
  scopes: array(oneOf(scopes), {
    minItems: 1,
    maxItems: scopes.length,
    description: 'What the key may do; writing includes reading, admin includes everything',
  }),
  expiresAt: optional(
    nullableText({ format: 'cursor', description: 'When the key expires. A key without it never expires' }),
  ),
})
export type CreateApiKey = Static<typeof CreateApiKey>

/** The public half of a key that signs a tenant's tokens. */
export const JwkCertificate = object({
  id: text(),
  tenantId: text(),
  public: text({ description: 'PEM' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type JwkCertificate = Static<typeof JwkCertificate>
