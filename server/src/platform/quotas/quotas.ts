// Limits how often something may happen in a period, over all nodes: codes sent to an address, guesses at codes in a day.
import { type Timestamp, addMilliseconds, clockSkewMsMax, toMs } from '../clock.ts'
import { hashToken } from '../crypto/tokens.ts'
import type { Transaction } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import type { TenantId } from '../ids.ts'

export interface Quota {
  readonly name: string
  readonly usesMax: number
  readonly windowSeconds: number
}

/** The row that counts uses: its table and primary key. */
export interface UsesRow {
  readonly table: 'quotas' | 'recipient_quotas'
  readonly key: Readonly<Record<string, string>>
}

export interface Span {
  readonly usesMax: number
  readonly now: Timestamp
  /** When a window that begins now ends. */
  readonly endsAt: Timestamp
}

/**
 * Takes one use within the caller's transaction, which locks the row.
 * @returns 0, or the seconds until the next use is available.
 */
export async function takeUse(tx: Transaction, { table, key }: UsesRow, { usesMax, now, endsAt }: Span) {
  const rows = sql.identifier(table)
  const names = sql.join(
    Object.keys(key).map((name) => sql.identifier(name)),
    ', ',
  )
  const values = sql.join(
    Object.values(key).map((value) => sql`${value}`),
    ', ',
  )
  // A window that ends later was begun before the clock was set back.
  const latestEnd = addMilliseconds(endsAt, clockSkewMsMax)
  const isOver = sql`(${rows}.window_ends_at <= ${now} OR ${rows}.window_ends_at > ${latestEnd})`
  const taken =
    usesMax < 1
      ? 0
      : await tx.run(sql`INSERT INTO ${rows} (${names}, used, window_ends_at) VALUES (${values}, 1, ${endsAt})
          ON CONFLICT (${names}) DO UPDATE SET
            used = CASE WHEN ${isOver} THEN 1 ELSE ${rows}.used + 1 END,
            window_ends_at = CASE WHEN ${isOver} THEN excluded.window_ends_at ELSE ${rows}.window_ends_at END
          WHERE ${isOver} OR ${rows}.used < ${usesMax}`)
  if (taken > 0) return 0
  const where = sql.join(
    Object.entries(key).map(([name, value]) => sql`${sql.identifier(name)} = ${value}`),
    ' AND ',
  )
  const row = await tx.first<{ window_ends_at: Timestamp }>(sql`SELECT window_ends_at FROM ${rows} WHERE ${where}`)
  return Math.max(1, Math.ceil((toMs(row?.window_ends_at ?? endsAt) - toMs(now)) / 1000))
}

/** Returns when an exhausted quota renews, or undefined if some of it is left. */
export async function selectUsedUp(
  { db, clock }: Deps,
  tenantId: TenantId,
  { name, usesMax }: Quota,
  subject: string,
): Promise<Timestamp | undefined> {
  const row = await db.first<{ window_ends_at: Timestamp }>(sql`SELECT window_ends_at FROM quotas
    WHERE tenant_id = ${tenantId} AND name = ${name} AND subject = ${hashToken(subject)}
      AND used >= ${usesMax} AND window_ends_at > ${clock.now()}`)
  return row?.window_ends_at
}

/**
 * Takes one use within the caller's transaction.
 * @param subject stored as a hash, such as an address or a user.
 * @throws ApiError too_many_attempts
 */
export async function takeQuota(
  { clock }: Deps,
  tx: Transaction,
  tenantId: TenantId,
  { name, usesMax, windowSeconds }: Quota,
  subject: string,
): Promise<void> {
  const now = clock.now()
  const row: UsesRow = { table: 'quotas', key: { tenant_id: tenantId, name, subject: hashToken(subject) } }
  const endsAt = addMilliseconds(now, windowSeconds * 1000)
  const retryAfterSeconds = await takeUse(tx, row, { usesMax, now, endsAt })
  if (retryAfterSeconds > 0) throw new ApiError('too_many_attempts', { retryAfterSeconds })
}
