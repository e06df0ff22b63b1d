import type { ChannelProvider, ChannelType } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { Id, TenantId } from '../../platform/ids.ts'

export type ChannelId = Id<'ChannelId'>

export interface ChannelRow {
  readonly tenant_id: TenantId
  readonly id: ChannelId
  readonly name: string
  readonly key: string
  readonly description: string | null
  readonly type: ChannelType
  readonly provider: ChannelProvider
  readonly enabled: number
  /** JSON of what is no secret. */
  readonly settings: string
  /** JSON of the secrets, sealed. */
  readonly sealed_secrets: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

const columns: Fragment = sql`tenant_id, id, name, key, description, type, provider, enabled, settings, sealed_secrets,
  created_at, updated_at`

export const channelSource = (tenantId: TenantId) => ({
  columns,
  table: sql`channels`,
  where: sql`tenant_id = ${tenantId}`,
})

export const selectChannel = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<ChannelRow>(sql`SELECT ${columns} FROM channels WHERE tenant_id = ${tenantId} AND id = ${id}`)

/** By id, key or name, in this order. */
export const selectChannelNamed = (db: Reader, tenantId: TenantId, text: string, nameKey: string) =>
  db.first<ChannelRow>(sql`SELECT ${columns} FROM channels
    WHERE tenant_id = ${tenantId} AND (id = ${text} OR key = ${text} OR name_key = ${nameKey})
    ORDER BY CASE WHEN id = ${text} THEN 0 WHEN key = ${text} THEN 1 ELSE 2 END LIMIT 1`)

/** The row, held until the transaction ends. */
export const selectChannelForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<ChannelRow>(
    sql`SELECT ${columns} FROM channels WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

export const insertChannel = (row: ChannelRow, nameKey: string): Statement => sql`INSERT INTO channels
  (tenant_id, id, name, name_key, key, description, type, provider, enabled, settings, sealed_secrets, created_at,
   updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.name}, ${nameKey}, ${row.key}, ${row.description}, ${row.type},
    ${row.provider}, ${row.enabled}, ${row.settings}, ${row.sealed_secrets}, ${row.created_at}, ${row.updated_at})`

export const updateChannel = (row: ChannelRow, nameKey: string): Statement => sql`UPDATE channels SET
  name = ${row.name}, name_key = ${nameKey}, key = ${row.key}, description = ${row.description},
  provider = ${row.provider}, enabled = ${row.enabled}, settings = ${row.settings},
  sealed_secrets = ${row.sealed_secrets}, updated_at = ${row.updated_at}
  WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`

export const deleteChannel = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM channels WHERE tenant_id = ${tenantId} AND id = ${id}`
