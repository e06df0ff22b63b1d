import type { Session } from '@bailiwick/contract'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { SessionRow } from './queries.ts'
import { endOfSession } from './session-limits.ts'

/** `tenant` decides when the session ends, because its configuration may have become stricter since. */
export function presentSession(row: SessionRow, tenant: TenantEntry): Session {
  const end = endOfSession(tenant, row)
  return {
    id: row.id,
    tenantId: row.tenant_id,
    userId: row.user_id,
    browser: row.browser,
    device: row.device,
    engine: row.engine,
    os: row.os,
    cpu: row.cpu,
    ua: row.ua,
    ip: row.ip,
    signInAttemptId: row.sign_in_attempt_id,
    signUpAttemptId: row.sign_up_attempt_id,
    expiresAt: end < row.expires_at ? end : row.expires_at,
    lastActiveAt: row.last_active_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
