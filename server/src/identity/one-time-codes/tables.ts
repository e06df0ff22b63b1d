import { id, integer, many, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'

/** Only the newest code of a purpose in a flow exists. */
export const verifications = table(
  'verifications',
  {
    tenant_id: id<TenantId>(),
    ...many(text(), 'flow_id', 'purpose', 'address_key', 'secret_hash'),
    user_id: id<UserId>().nullable(),
    kind: text<'code' | 'link'>(),
    flow_hash: text().nullable(),
    tries_left: integer(),
    ...many(time(), 'expires_at', 'created_at'),
  },
  { key: ['tenant_id', 'flow_id', 'purpose'], notExported: 'they expire within minutes' },
)
