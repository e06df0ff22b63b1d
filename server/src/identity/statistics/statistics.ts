// Statistics of a tenant. All come from daily counters; the number of users 30 days ago is computed backwards from the current one.
import type { Statistic } from '@bailiwick/contract'
import { readCounters } from '../../platform/db/counters.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type DayCountName, daysBefore, readDays, windowDays } from '../../platform/statistics/day-counters.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { presentSession } from '../sessions/present.ts'
import { recentSignIns } from '../sessions/sessions.ts'
import { presentUser } from '../users/present.ts'
import { recentUsers } from '../users/users.ts'
import { withUsers } from '../users/with-users.ts'

const recentCount = 10

/** Returns the last 30 days, with zeros filled in. @throws ApiError not_found */
export async function countByDay(deps: Deps, tenantId: TenantId, name: 'users_created' | 'sessions_created') {
  await getTenant(deps, tenantId)
  return readDays(deps, tenantId, name, daysBefore(deps.clock.now(), 0, windowDays))
}

function statistic(name: Statistic['name'], value: number, before: number): Statistic {
  const change = value - before
  return { name, value, change, changeType: change === 0 ? 'none' : change > 0 ? 'up' : 'down' }
}

/** @throws ApiError not_found */
export async function readStatistics(deps: Deps, tenantId: TenantId): Promise<Statistic[]> {
  await getTenant(deps, tenantId)
  const now = deps.clock.now()
  const current = daysBefore(now, 0, windowDays)
  const previous = daysBefore(now, windowDays, windowDays)
  const sum = async (name: DayCountName, days: readonly string[]) => {
    const counts = await readDays(deps, tenantId, name, days)
    return counts.reduce((total, { count }) => total + count, 0)
  }
  const [totals, created, createdBefore, deleted, signIns, signInsBefore, active, idle, activated, lapsed] =
    await Promise.all([
      readCounters(deps.db, tenantId, ['users']),
      sum('users_created', current),
      sum('users_created', previous),
      sum('users_deleted', current),
      sum('sessions_created', current),
      sum('sessions_created', previous),
      sum('users_last_active', current),
      sum('users_last_active', previous),
      sum('users_activated', current),
      sum('users_lapsed', current),
    ])
  const users = totals.get('users') ?? 0
  // Users who have become active since were not active then. Users who have stopped being active since were active then, or became active
  // in between.
  const activeBefore = active - activated + idle + lapsed
  return [
    statistic('Total Users', users, users - created + deleted),
    statistic('Active Users', active, activeBefore),
    statistic('Sign Ups', created, createdBefore),
    statistic('Sign Ins', signIns, signInsBefore),
  ]
}

/** @throws ApiError not_found */
export async function listRecentSignUps(deps: Deps, tenantId: TenantId) {
  await getTenant(deps, tenantId)
  return (await recentUsers(deps, tenantId, recentCount)).map(presentUser)
}

/** @throws ApiError not_found */
export async function listRecentSignIns(deps: Deps, tenantId: TenantId) {
  const tenant = await getTenant(deps, tenantId)
  const rows = await recentSignIns(deps.db, tenantId, recentCount)
  const shown = rows.map((row) => presentSession(row, tenant))
  return withUsers(deps.db, tenantId, shown)
}
