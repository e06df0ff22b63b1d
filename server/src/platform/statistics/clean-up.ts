// Removes day counters that are too old for any statistic; every tenant gets some hundred such rows a day.
import { type Timestamp, addMilliseconds } from '../clock.ts'
import { sql } from '../db/sql.ts'
import type { Deps } from '../deps.ts'
import { dayCountNames, dayMs, dayOf, windowDays } from './day-counters.ts'

/** The window, the one that it is compared with, and a day for clock differences. */
const keptDays = 2 * windowDays + 1
const tenantsAtOnce = 20
const rowsAtOnce = 500

async function removeOldDays({ db }: Deps, tenantId: string, now: Timestamp) {
  const firstKept = dayOf(addMilliseconds(now, -keptDays * dayMs))
  const ranges = dayCountNames.map((name) => sql`(name >= ${`${name}:`} AND name < ${`${name}:${firstKept}`})`)
  const old = (limit: number) => sql`SELECT tenant_id, name, shard FROM counters
    WHERE tenant_id = ${tenantId} AND (${sql.join(ranges, ' OR ')}) LIMIT ${limit}`
  // Usually there are none, which needs no transaction.
  while ((await db.first(old(1))) !== undefined) {
    await db.write(() => [sql`DELETE FROM counters WHERE (tenant_id, name, shard) IN (${old(rowsAtOnce)})`])
  }
}

/**
 * Returns a step that handles some tenants at each call. After the last tenant it does nothing until the next day. Nothing waits for it, so
 * ten thousand tenants may take hours.
 */
export function createDayCounterCleanUp(deps: Deps): () => Promise<false> {
  let after = ''
  let doneOn: string | undefined
  return async () => {
    const now = deps.clock.now()
    if (doneOn === dayOf(now)) return false
    const tenants = await deps.db.all<{ id: string }>(
      sql`SELECT id FROM tenants WHERE id > ${after} ORDER BY id LIMIT ${tenantsAtOnce}`,
    )
    for (const { id } of tenants) await removeOldDays(deps, id, now)
    const isLast = tenants.length < tenantsAtOnce
    after = isLast ? '' : (tenants.at(-1)?.id ?? '')
    if (isLast) doneOn = dayOf(now)
    return false
  }
}
