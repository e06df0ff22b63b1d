// Erases anonymous users who have not come back: a stretch of each tenant's at a time, one tenant after the other, so that no tenant waits for
// one that has many.
import type { Deps } from '../../identity/deps.ts'
import { deleteUser } from '../../identity/people/user-deletion.ts'
import { type Timestamp, fromMs } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'

/** How many users of one tenant are looked at in one step. */
export const stretch = 200
const dayMs = 24 * 60 * 60_000
const nobody = { type: 'system', id: null, ip: null, ua: null } as const

interface FoundUser {
  readonly id: UserId
  readonly created_at: Timestamp
  readonly is_unused: number
}

/** Returns the next tenant that has anonymous users. */
const nextTenant = (db: Reader, after: string) =>
  db.first<{ tenant_id: TenantId }>(sql`SELECT tenant_id FROM users WHERE is_anonymous = 1 AND tenant_id > ${after}
    ORDER BY tenant_id LIMIT 1`)

/** Members of an organization stay: their organization decides about them. */
const isUnused = (
  tenantId: TenantId,
  before: Timestamp,
) => sql`COALESCE(last_active_at, created_at) < ${before} AND NOT EXISTS (
  SELECT 1 FROM organization_members AS m WHERE m.tenant_id = ${tenantId} AND m.user_id = users.id)`

const selectStretch = (db: Reader, tenantId: TenantId, after: string, before: Timestamp) =>
  db.all<FoundUser>(sql`SELECT id, created_at, CASE WHEN ${isUnused(tenantId, before)} THEN 1 ELSE 0 END AS is_unused FROM users
    WHERE tenant_id = ${tenantId} AND is_anonymous = 1 AND created_at > ${after} AND created_at < ${before}
    ORDER BY created_at LIMIT ${stretch}`)

/** Erases one, unless it has signed up or was used meanwhile. */
async function erase(deps: Deps, tenantId: TenantId, id: UserId, before: Timestamp): Promise<void> {
  try {
    await deleteUser(deps, tenantId, id, nobody, async (tx) => {
      const row = await tx.first(sql`SELECT id FROM users WHERE tenant_id = ${tenantId} AND id = ${id}
        AND is_anonymous = 1 AND ${isUnused(tenantId, before)}`)
      if (row === undefined) throw new ApiError('not_found')
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
  }
}

/** Returns the function that does one step; it resolves with whether tenants are left in this round. */
export function createEraser(deps: Deps): () => Promise<boolean> {
  let tenantBefore = ''
  /** Where the next stretch of a tenant begins, of tenants whose last one was full. */
  const places = new Map<TenantId, string>()
  return async () => {
    const found = await nextTenant(deps.db, tenantBefore)
    tenantBefore = found?.tenant_id ?? ''
    if (found === undefined) return false
    const { tenant_id: tenantId } = found
    const tenant = await deps.tenants.byId(tenantId)
    if (tenant === undefined) return true
    const before = fromMs(deps.clock.nowMs() - tenant.auth.anonymousUserDays * dayMs)
    const users = await selectStretch(deps.db, tenantId, places.get(tenantId) ?? '', before)
    for (const { id, is_unused: unused } of users) if (unused === 1) await erase(deps, tenantId, id, before)
    const last = users[stretch - 1]
    if (last === undefined) places.delete(tenantId)
    else places.set(tenantId, last.created_at)
    return true
  }
}
