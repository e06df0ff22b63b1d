// What waits, for the metrics and for those who look after the deployment.
import type { Timestamp } from '../clock.ts'
import type { Reader } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** Returns since when the job that has waited longest is due; undefined if none is. */
export const selectOldestDue = (db: Reader, now: Timestamp) =>
  db.first<{ run_at: Timestamp }>(sql`SELECT run_at FROM jobs WHERE dead_at IS NULL AND run_at <= ${now}
    ORDER BY run_at LIMIT 1`)

/** Counts up to `limit` jobs that are due, running or not. */
export const countDue = (db: Reader, now: Timestamp, limit: number) =>
  db.first<{ count: number }>(sql`SELECT count(*) AS count FROM
    (SELECT 1 FROM jobs WHERE dead_at IS NULL AND run_at <= ${now} LIMIT ${limit}) AS due`)

/** Selects some jobs that were given up. */
export const selectGivenUp = (db: Reader, limit: number) =>
  db.all<{ kind: string; last_error: string | null }>(
    sql`SELECT kind, last_error FROM jobs WHERE dead_at IS NOT NULL LIMIT ${limit}`,
  )

export type JobState = 'waiting' | 'running' | 'retrying' | 'scheduled' | 'givenUp'

export interface CountedJobs {
  readonly kind: string
  readonly state: JobState
  readonly count: number
  /** The earliest time at which one of them is due. */
  readonly oldest: Timestamp
  readonly error: string | null
}

/** Counts the jobs that are due first, and those that are due later if there is room, by kind and state. */
export const countLive = (db: Reader, now: Timestamp, limit: number) =>
  db.all<CountedJobs>(sql`SELECT kind, state, CAST(count(*) AS INTEGER) AS count, min(run_at) AS oldest, max(last_error) AS error
    FROM (SELECT kind, run_at, last_error,
        CASE WHEN leased_until > ${now} THEN 'running' WHEN attempts > 0 THEN 'retrying'
          WHEN run_at > ${now} THEN 'scheduled' ELSE 'waiting' END AS state
      FROM jobs WHERE dead_at IS NULL ORDER BY run_at LIMIT ${limit}) AS live
    GROUP BY kind, state ORDER BY kind, state LIMIT ${limit}`)

/** Counts up to `limit` jobs that were given up, by kind. */
export const countGivenUp = (db: Reader, limit: number) =>
  db.all<CountedJobs>(sql`SELECT kind, 'givenUp' AS state, CAST(count(*) AS INTEGER) AS count, min(run_at) AS oldest,
      max(last_error) AS error
    FROM (SELECT kind, run_at, last_error FROM jobs WHERE dead_at IS NOT NULL LIMIT ${limit}) AS dead
    GROUP BY kind ORDER BY kind LIMIT ${limit}`)

export interface ListedJob {
  readonly id: string
  readonly tenant_id: string
  readonly kind: string
  readonly attempts: number
  readonly run_at: Timestamp
  readonly leased_until: Timestamp | null
  readonly dead_at: Timestamp | null
  readonly last_error: string | null
}

const listedColumns = sql`id, tenant_id, kind, attempts, run_at, leased_until, dead_at, last_error`

/** Selects jobs: those that were given up first, then those that are due first; with `isFailed` only those that have failed. */
export async function selectListed(
  db: Reader,
  { isFailed, limit }: { readonly isFailed: boolean; readonly limit: number },
): Promise<ListedJob[]> {
  const dead = await db.all<ListedJob>(
    sql`SELECT ${listedColumns} FROM jobs WHERE dead_at IS NOT NULL ORDER BY dead_at DESC, id LIMIT ${limit}`,
  )
  if (dead.length === limit) return dead
  const wanted = isFailed ? sql` AND attempts > 0` : sql``
  const live = await db.all<ListedJob>(sql`SELECT ${listedColumns} FROM jobs WHERE dead_at IS NULL${wanted}
    ORDER BY run_at, id LIMIT ${limit - dead.length}`)
  return [...dead, ...live]
}
