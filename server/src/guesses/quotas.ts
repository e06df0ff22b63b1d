// How often something may happen in a span of time, shared by all nodes: codes sent to an address, guesses at codes a day.
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

/**
 * Takes one use, as part of the caller's transaction.
 * @param subject kept as a hash: an address, a user.
 * @throws ApiError too_many_attempts
 */
export async function takeQuota(
  { clock }: Deps,
  tx: Transaction,
  tenantId: TenantId,
  { name, usesMax, windowSeconds }: Quota,
  subject: string,
): Promise<void> {
  const hash = hashToken(subject)
  const at = clock.now()
  const end = addMilliseconds(at, windowSeconds * 1000)
  // A window that ends later was begun by a clock that has been set back since.
  const isOver = sql`(quotas.window_ends_at <= ${at} OR quotas.window_ends_at > ${addMilliseconds(end, clockSkewMsMax)})`
  const taken = await tx.run(sql`INSERT INTO quotas (tenant_id, name, subject, used, window_ends_at)
    VALUES (${tenantId}, ${name}, ${hash}, 1, ${end})
    ON CONFLICT (tenant_id, name, subject) DO UPDATE SET
      used = CASE WHEN ${isOver} THEN 1 ELSE quotas.used + 1 END,
      window_ends_at = CASE WHEN ${isOver} THEN excluded.window_ends_at ELSE quotas.window_ends_at END
    WHERE ${isOver} OR quotas.used < ${usesMax}`)
  if (taken > 0) return
  const row = await tx.first<{ window_ends_at: Timestamp }>(sql`SELECT window_ends_at FROM quotas
    WHERE tenant_id = ${tenantId} AND name = ${name} AND subject = ${hash}`)
  const leftMs = row === undefined ? 0 : toMs(row.window_ends_at) - toMs(at)
  throw new ApiError('too_many_attempts', { retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) })
}
