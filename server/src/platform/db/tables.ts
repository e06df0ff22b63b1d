// Tables that belong to no single feature.
import type { TenantId } from '../ids.ts'
import { id, integer, text } from './columns.ts'
import { table } from './table.ts'

/** Values that belong to the deployment as a whole. */
export const deployment = table('deployment', { name: text(), value: text() }, { key: ['name'] })

export const counters = table(
  'counters',
  { tenant_id: id<TenantId>(), name: text(), shard: integer(), value: integer() },
  {
    key: ['tenant_id', 'name', 'shard'],
    notExported: 'counted anew, but for those of days that are past',
  },
)

/** The migrations that were applied. */
export const schemaRequirements = table(
  'schema_requirements',
  { migration_id: text(), required_id: text() },
  { key: ['migration_id'], sharding: 'local' },
)
export const schemaMigrations = table(
  'schema_migrations',
  { id: text(), applied_at: text() },
  { key: ['id'], sharding: 'local' },
)
