import { id, integer, many, text } from '../db/columns.ts'
import { table } from '../db/table.ts'
import type { TenantId, UserId } from '../ids.ts'

/** Invalidations for other nodes. Each row is deleted within two hours. */
export const cacheInvalidations = table(
  'cache_invalidations',
  {
    position: integer().generated(),
    ...many(text().generated(), 'transaction_id', 'written_at'),
    tenant_id: id<TenantId>(),
    user_id: id<UserId>().nullable(),
  },
  { key: ['position'], onlyOnPostgresql: true, sharding: 'local' },
)
