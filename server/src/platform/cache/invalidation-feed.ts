// Receives invalidations from other nodes. NOTIFY delivers them at once; a poll finds those that NOTIFY missed and confirms that memory is
// up to date. Memory that was not confirmed for one second is not used, and it is dropped as soon as a poll fails.
import type { Logger } from 'pino'
import { horizonSource } from '../db/citus/horizon.ts'
import type { OpenDatabase } from '../db/open.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { forget, forgetAll, forgetNotified, invalidationChannel } from './invalidation.ts'
import type { Memory } from './memory.ts'

/** Memory may be used for one second after the start of a successful poll (see the directory of tenants), which is room for two polls. */
const pollMs = 400
const pollPauseMsMin = 50
const pruneMs = 10 * 60 * 1000
const rowsMax = 1000

interface FeedRow {
  readonly tenant_id: string | null
  readonly user_id: string | null
  readonly horizon: string
}

/**
 * Returns the rows of transactions that were open or had not begun at `since`, and the horizon for the next call. A row may be returned
 * twice, which does no harm; none is missed, however late its transaction commits.
 */
const selectSince = (
  horizon: Fragment,
  since: string,
) => sql`SELECT i.tenant_id, i.user_id, h.horizon FROM (${horizon}) AS h
  LEFT JOIN (SELECT tenant_id, user_id FROM cache_invalidations WHERE transaction_id >= CAST(CAST(${since} AS text) AS xid8)
    ORDER BY transaction_id LIMIT ${rowsMax}) AS i ON true`

/** Follows the feed until stopped. On SQLite, which has one process, there is nothing to follow. */
export async function followInvalidations(db: OpenDatabase, memory: Memory, log: Logger): Promise<() => Promise<void>> {
  if (db.listen === undefined) return async () => undefined
  const horizon = await horizonSource(db)
  let since = '0'
  const forgetMissed = () => {
    // Transaction numbers start lower again if a standby that lacked the last ones was promoted.
    since = '0'
    forgetAll(memory)
  }
  const listening = await db.listen(
    invalidationChannel,
    (payload) => forgetNotified(memory, payload),
    () => forgetMissed(),
  )
  let isStopped = false
  let isFollowed = true
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  const poll = async (startedAt: number) => {
    try {
      const rows = await listening.all<FeedRow>(selectSince(horizon, since))
      if (since === '0' || rows.length >= rowsMax) forgetAll(memory)
      else for (const { tenant_id, user_id } of rows) if (tenant_id !== null) forget(memory, tenant_id, user_id)
      since = rows[0]?.horizon ?? since
      memory.tenants.confirm(startedAt)
      if (!isFollowed) log.info('the changes of other nodes are followed again')
      isFollowed = true
    } catch (err) {
      forgetMissed()
      if (isFollowed)
        log.warn({ err }, 'cannot follow the changes of other nodes; memory is not used until that works again')
      isFollowed = false
    }
  }
  const tick = () => {
    const startedAt = performance.now()
    running = poll(startedAt).then(() => {
      if (isStopped) return
      timer = setTimeout(tick, Math.max(pollPauseMsMin, pollMs - (performance.now() - startedAt)))
    })
  }
  memory.tenants.confirm(-Infinity)
  await poll(performance.now())
  timer = setTimeout(tick, pollMs)

  const prune = setInterval(() => {
    db.write(() => [sql`DELETE FROM cache_invalidations WHERE written_at < now() - interval '1 hour'`]).catch(
      (err: unknown) => {
        log.warn({ err }, 'cannot remove old invalidations')
      },
    )
  }, pruneMs)
  prune.unref()

  return async () => {
    isStopped = true
    clearTimeout(timer)
    clearInterval(prune)
    await running
    await listening.stop()
  }
}
