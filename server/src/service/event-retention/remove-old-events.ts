// Removes events that are older than their tenant keeps them: once a day, each tenant's next stretch in turn, so that no tenant waits for one
// that has many.
import type { Deps } from '../../identity/deps.ts'
import { fromMs } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { removeOldEvents, removedAtOnce } from '../../platform/events/remove-events.ts'
import type { TenantId } from '../../platform/ids.ts'
import { dayMs } from '../../platform/statistics/day-counters.ts'
import { settingsOf } from '../../tenancy/auth-configuration/read-settings.ts'
import { retentionDays } from '../../tenancy/events/retention.ts'
import type { TenantRow } from '../../tenancy/tenants/find-tenant.ts'

/** Returns the position of the oldest event that a feature may still have to read. */
export type FindNeeded = (db: Reader, tenantId: TenantId) => Promise<number | undefined>

const tenantsAtOnce = 20

/** A tenant of which more events may be old. */
interface Behind {
  readonly tenantId: TenantId
  readonly days: number
}

/** Reads the tenants and their settings from the database, because the directory would drop tenants in use for those that are read here. */
const selectTenants = (db: Reader, after: string) =>
  db.all<Pick<TenantRow, 'id' | 'auth_version'>>(sql`SELECT id, auth_version FROM tenants
    WHERE id > ${after} AND deleted_at IS NULL ORDER BY id LIMIT ${tenantsAtOnce}`)

/** Returns the beginning of today in UTC. Whole days are removed, so that a tenant's log gets few events about it. */
const startOfDay = (nowMs: number) => Math.floor(nowMs / dayMs) * dayMs

/** Returns the function that does one step; it resolves with whether more is left today. */
export function createEventRemover(deps: Deps, findNeeded: FindNeeded): () => Promise<boolean> {
  const { db, clock, config } = deps
  let doneOn: number | undefined
  let after = ''
  let isThrough = false
  const behind: Behind[] = []

  const remove = async (tenantId: TenantId, days: number, today: number) => {
    try {
      const before = fromMs(today - days * dayMs)
      const count = await removeOldEvents(deps, { tenantId, before, days, findNeeded: () => findNeeded(db, tenantId) })
      if (count === removedAtOnce) behind.push({ tenantId, days })
    } catch (err) {
      // The others do not wait for this tenant, whose turn comes again on the next day.
      deps.log.warn({ err, tenantId }, 'old events could not be removed')
    }
  }
  const lookAtTenants = async (today: number) => {
    const tenants = await selectTenants(db, after)
    for (const tenant of tenants) {
      const settings = await settingsOf(db, tenant)
      const days = settings === undefined ? null : retentionDays(config.eventRetention, settings.eventRetentionDays)
      if (days !== null) await remove(tenant.id, days, today)
    }
    isThrough = tenants.length < tenantsAtOnce
    after = isThrough ? '' : (tenants.at(-1)?.id ?? '')
  }
  return async () => {
    const today = startOfDay(clock.nowMs())
    if (doneOn === today) return false
    if (!isThrough) await lookAtTenants(today)
    else {
      const next = behind.shift()
      if (next !== undefined) await remove(next.tenantId, next.days, today)
    }
    if (!isThrough || behind.length > 0) return true
    doneOn = today
    isThrough = false
    return false
  }
}
