import { CreateApiKey, type Scope } from '@bailiwick/contract'
import { aHash, fieldsOf, lastFour } from '../../platform/db/accepted.ts'
import { json, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { ApiKeyId } from '../../platform/ids.ts'

export const apiKeys = table(
  'api_keys',
  {
    ...record<ApiKeyId>(),
    ...many(text(), 'name', 'hash', 'last4'),
    scopes: json<Scope[]>(),
    ...many(time().nullable(), 'expires_at', 'last_used_at'),
  },
  {
    counted: [{ counter: 'api_keys' }],
    accepts: { ...fieldsOf(CreateApiKey), hash: aHash, last4: lastFour },
  },
)
