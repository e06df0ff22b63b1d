import type { Hook, HookCall } from '@bailiwick/contract'
import { fromJson } from '../../platform/json-text.ts'
import type { HookCallRow, HookRow } from './queries.ts'

export const presentHook = (row: HookRow): Hook => ({
  id: row.id,
  tenantId: row.tenant_id,
  point: row.point,
  url: row.url,
  timeoutMs: row.timeout_ms,
  onFailure: row.on_failure,
  enabled: row.enabled === 1,
  roleIds: [...fromJson(row.role_ids)],
  receivesPasswords: row.receives_passwords === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const presentCall = (row: HookCallRow): HookCall => ({
  id: row.id,
  tenantId: row.tenant_id,
  hookId: row.hook_id,
  result: row.result,
  error: row.error,
  durationMs: row.duration_ms,
  createdAt: row.created_at,
})
