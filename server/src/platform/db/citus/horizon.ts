// Before which transaction everything has ended, on all servers of a sharded database. See docs/decisions/0385.
import type { Database, Reader } from '../database.ts'
import { type Fragment, sql } from '../sql.ts'
import { isSharded } from './is-sharded.ts'

interface HorizonRow {
  readonly horizon: string
  /** 1 if transactions may still have to be committed at other servers. */
  readonly is_open: number
}

/**
 * The numbers are those of the coordinator, which each event has. A transaction that has changed several servers leaves rows in
 * pg_dist_transaction when it ends at the coordinator; it may end at the others later, and much later if one of them was lost.
 * The transaction of such a row is given as its distance from the next number, because `xmin` has only 32 bits.
 */
const shardedHorizon = sql`SELECT CAST(LEAST(CAST(CAST(h.least AS text) AS numeric), d.least) AS text) AS horizon,
    CASE WHEN d.least IS NULL THEN 0 ELSE 1 END AS is_open
  FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS least) AS h,
    (SELECT min(CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS numeric) - age(xmin)) AS least
      FROM pg_dist_transaction) AS d`

/** Returns a SELECT of one row with the column `horizon`, for a statement that reads nothing of a tenant. */
export const horizonSource = async (db: Database): Promise<Fragment> =>
  (await isSharded(db)) ? shardedHorizon : sql`SELECT CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS horizon`

const settleEveryMs = 200
const settled = new WeakMap<Database, { readonly atMs: number; readonly done: Promise<void> }>()

/**
 * Commits what was left open at other servers, and removes the rows of what has ended. Citus does that by itself once a minute
 * (citus.recover_2pc_interval); where the role may not call the function, readers wait for that.
 */
function settle(db: Database): Promise<void> {
  const last = settled.get(db)
  if (last !== undefined && performance.now() - last.atMs < settleEveryMs) return last.done
  const done = db.all(sql`SELECT recover_prepared_transactions() AS recovered`).then(
    () => undefined,
    () => undefined,
  )
  settled.set(db, { atMs: performance.now(), done })
  return done
}

const readHorizon = async (db: Reader): Promise<HorizonRow> =>
  (await db.first<HorizonRow>(shardedHorizon)) ?? { horizon: '0', is_open: 0 }

/**
 * Returns the number of the coordinator's first transaction that may not have ended everywhere. Undefined on a database with one server,
 * where a statement finds it by itself.
 */
export async function findHorizon(db: Database): Promise<string | undefined> {
  if (!(await isSharded(db))) return undefined
  const first = await readHorizon(db)
  if (first.is_open === 0) return first.horizon
  await settle(db)
  return (await readHorizon(db)).horizon
}
