// Work beside the requests that is due by the clock of each tenant, which may be ahead in test mode.
import { aheadBy } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { msAheadAt } from './test-mode.ts'

const tenantsMax = 1000

/**
 * Does one bounded step of work for all tenants by the time of the machine, and one for each tenant whose clock is ahead by its own.
 * @param step returns whether there is more to do: of one tenant, or of all of them.
 * @returns whether any of the steps has more to do.
 */
export async function atEachClock(
  deps: Deps,
  step: (tenantId: TenantId | undefined) => Promise<boolean>,
): Promise<boolean> {
  let hasMore = await step(undefined)
  if (!deps.config.isTestModeAllowed) return hasMore
  const rows = await deps.db.all<{ id: TenantId }>(
    sql`SELECT id FROM tenants WHERE clock_ahead_seconds > 0 LIMIT ${tenantsMax}`,
  )
  for (const { id } of rows) {
    const ms = await msAheadAt(deps, id)
    if (ms > 0 && (await aheadBy(ms, () => step(id)))) hasMore = true
  }
  return hasMore
}
