import type { HookPoint } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { hookCalls, hooks } from './tables.ts'

export type HookRow = RowOf<typeof hooks>
export type HookCallRow = RowOf<typeof hookCalls>

export const hookSource = hooks.sourceOf
export const selectHook = hooks.byKey
export const selectHookForUpdate = hooks.lock
export const insertHook = hooks.insert
export const deleteHook = hooks.delete
export const updateHook = hooks.rewrite

/** Returns the hooks that are asked at a point, the oldest first. */
export const selectHooksAt = (db: Reader, tenantId: TenantId, point: HookPoint) =>
  hooks.all(db)`tenant_id = ${tenantId} AND point = ${point} AND enabled = 1 ORDER BY created_at LIMIT 10`

/** Returns the hooks that are enabled, of which a tenant has few, the oldest first. */
export const selectEnabledHooks = (db: Reader, tenantId: TenantId) =>
  hooks.all(db)`tenant_id = ${tenantId} AND enabled = 1 ORDER BY created_at LIMIT 10`

export const callSource = (tenantId: TenantId, hookId: string) =>
  hookCalls.source(sql`tenant_id = ${tenantId} AND hook_id = ${hookId}`)

export const insertCalls = hookCalls.insertAll

export const selectOldCalls = (db: Reader, before: Timestamp, limit: number) =>
  db.all<Pick<HookCallRow, 'tenant_id' | 'id' | 'hook_id'>>(sql`SELECT tenant_id, id, hook_id
    FROM hook_calls WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit}`)

export const deleteCalls = (tenantId: TenantId, ids: readonly string[]): Statement =>
  sql`DELETE FROM hook_calls WHERE tenant_id = ${tenantId} AND id IN (${sql.list(ids)})`
