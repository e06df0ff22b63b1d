// What waits, for the metrics.
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
