import type { Reader } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { channels } from './tables.ts'

export type ChannelRow = RowOf<typeof channels>

export const channelSource = channels.sourceOf
export const selectChannel = channels.byKey
export const selectChannelForUpdate = channels.lock
export const insertChannel = channels.insert
export const deleteChannel = channels.delete
export const updateChannel = channels.rewrite

/** By id, key or name, in this order. */
export const selectChannelNamed = (db: Reader, tenantId: TenantId, text: string, nameKey: string) =>
  channels.first(db)`tenant_id = ${tenantId} AND (id = ${text} OR key = ${text} OR name_key = ${nameKey})
    ORDER BY CASE WHEN id = ${text} THEN 0 WHEN key = ${text} THEN 1 ELSE 2 END LIMIT 1`
