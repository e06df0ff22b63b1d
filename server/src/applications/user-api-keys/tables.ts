import { CreateUserApiKey, keyPrefixRule, isKeyPrefix } from '@bailiwick/contract'
import { aHash, anId, fieldsOf, lastFour } from '../../platform/db/accepted.ts'
import { id, json, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { OrganizationId, UserApiKeyId, UserId } from '../../platform/ids.ts'

/**
 * Keys with which programs of users and organizations call the tenant's own API. The database removes those of an erased user or organization,
 * and those with which a user acted in an organization that the user has left.
 */
export const userApiKeys = table(
  'user_api_keys',
  {
    ...record<UserApiKeyId>(),
    user_id: id<UserId>().nullable(),
    organization_id: id<OrganizationId>().nullable(),
    creator_id: id<UserId>().nullable(),
    ...many(text(), 'name', 'hash', 'prefix', 'last4'),
    scopes: json<readonly string[]>(),
    ...many(time().nullable(), 'expires_at', 'last_used_at'),
  },
  {
    accepts: {
      ...fieldsOf(CreateUserApiKey),
      creator_id: anId,
      hash: aHash,
      last4: lastFour,
      prefix: { rule: keyPrefixRule, test: (value) => typeof value === 'string' && isKeyPrefix(value) },
    },
  },
)
