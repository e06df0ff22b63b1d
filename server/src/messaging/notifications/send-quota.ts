// How many messages leave through the deployment's own channel: so many a day for each tenant, and so many for each recipient from all
// tenants together. What a tenant sends through a channel of its own is its own affair.
import { canonicalEmail, emailKey, isEmail } from '@bailiwick/contract'
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Deps } from '../deps.ts'
import { type UsesRow, takeUse } from '../../platform/quotas/quotas.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { dayMs, dayOf } from '../../platform/statistics/day-counters.ts'
import { isInvitation } from './invitation-message.ts'
import { type MessageRow, markCounted } from './message-queries.ts'
import { tenantLimits } from './tables.ts'

export type OverQuota = 'tenant_over_quota' | 'recipient_over_quota'

const sentences: Readonly<Record<OverQuota, string>> = {
  tenant_over_quota:
    "This tenant has sent as many messages through the deployment's own channel today as it may; the operator can raise the limit, and a channel of the tenant's own has none.",
  recipient_over_quota:
    "This address has been sent as many messages through the deployment's own channel as it may get for now; see Retry-After.",
}

export class MessageQuotaReached extends ApiError {
  readonly reason: OverQuota
  constructor(reason: OverQuota, retryAfterSeconds: number) {
    super('message_quota_reached', { detail: sentences[reason], retryAfterSeconds })
    this.reason = reason
  }
}

const tenantQuota = 'messages:day'
/** Rows that the quota of a tenant is spread over, so that its writers do not queue behind one. */
const parts = 4
const hourMs = 60 * 60_000
/**
 * What a tenant may send a recipient within a day whatever others have sent: nobody keeps somebody from signing in elsewhere by having
 * mail sent to them. Invitations, for which nobody waits, have no such reserve.
 */
const reserved = { name: 'recipient_reserve:day', usesMax: 5 }

const nextDay = (now: Timestamp) => `${dayOf(addMilliseconds(now, dayMs))}T00:00:00.000000Z` as Timestamp

/** What the operator has set for a tenant. */
export async function selectMessagesPerDay(db: Reader, tenantId: TenantId): Promise<number | null> {
  return (await tenantLimits.byKey(db, tenantId))?.messages_per_day ?? null
}

const usedParts = (db: Reader, tenantId: TenantId, now: Timestamp) =>
  db.all<{ subject: string; used: number }>(sql`SELECT subject, used FROM quotas
    WHERE tenant_id = ${tenantId} AND name = ${tenantQuota} AND window_ends_at = ${nextDay(now)} LIMIT ${parts}`)

/** What a tenant has sent today. */
export async function readSentToday({ db, clock }: Deps, tenantId: TenantId) {
  const now = clock.now()
  const rows = await usedParts(db, tenantId, now)
  return { messagesToday: rows.reduce((sum, { used }) => sum + used, 0), resetsAt: nextDay(now) }
}

async function takeFromTenant({ config, clock }: Deps, tx: Transaction, tenantId: TenantId) {
  const usesMax = (await selectMessagesPerDay(tx, tenantId)) ?? config.sending.perTenantPerDay
  const now = clock.now()
  const endsAt = nextDay(now)
  const used = new Map((await usedParts(tx, tenantId, now)).map((row) => [row.subject, row.used]))
  for (let offset = 0; offset < parts; offset++) {
    const part = (tx.shard + offset) % parts
    // Rounded so that the parts add up to the whole.
    const span = { usesMax: Math.floor((usesMax + part) / parts), now, endsAt }
    const row: UsesRow = { table: 'quotas', key: { tenant_id: tenantId, name: tenantQuota, subject: `${part}` } }
    // Uses are only ever added: a part that is seen to be full need not be held.
    const isFull = (used.get(`${part}`) ?? 0) >= span.usesMax
    if (!isFull && (await takeUse(tx, row, span)) === 0) return
  }
  const untilNextDay = Math.ceil((Date.parse(endsAt) - Date.parse(now)) / 1000)
  throw new MessageQuotaReached('tenant_over_quota', Math.max(1, untilNextDay))
}

/** One mailbox, however its address is written: providers read `ada+1@example.com` into that of `ada@example.com`. */
function recipientKey(to: string): string {
  return isEmail(to) ? emailKey(canonicalEmail(to)).replace(/\+.*(?=@[^@]*$)/s, '') : to
}

type Sent = Pick<MessageRow, 'tenant_id' | 'recipient' | 'purpose'>

async function takeFromRecipient({ config, clock, hashCode }: Deps, tx: Transaction, sent: Sent) {
  const { perRecipientPerHour, perRecipientPerDay } = config.sending
  const now = clock.now()
  const recipient = hashCode(JSON.stringify(['message recipient', recipientKey(sent.recipient)]))
  // Apart, so that invitations keep no codes back, and a refused invitation tells nothing of the codes that others have asked for.
  const kind = isInvitation(sent) ? 'invitations' : 'messages'
  const take = async (name: string, usesMax: number, ms: number) =>
    takeUse(
      tx,
      { table: 'recipient_quotas', key: { recipient, name: `${kind}:${name}` } },
      { usesMax, now, endsAt: addMilliseconds(now, ms) },
    )
  const waitSeconds =
    (await take('hour', perRecipientPerHour, hourMs)) || (await take('day', perRecipientPerDay, dayMs))
  if (waitSeconds === 0) return
  if (!isInvitation(sent)) {
    const key = { tenant_id: sent.tenant_id, name: reserved.name, subject: recipient }
    const span = { usesMax: reserved.usesMax, now, endsAt: addMilliseconds(now, dayMs) }
    if ((await takeUse(tx, { table: 'quotas', key }, span)) === 0) return
  }
  throw new MessageQuotaReached('recipient_over_quota', waitSeconds)
}

/**
 * Counts a message in the transaction that causes or sends it. A transaction in which this throws must not be committed.
 * @throws MessageQuotaReached
 */
export async function takeSendQuota(deps: Deps, tx: Transaction, sent: Sent): Promise<void> {
  await takeFromRecipient(deps, tx, sent)
  // Last, because the other messages of the tenant wait for it.
  await takeFromTenant(deps, tx, sent.tenant_id)
}

/**
 * Counts a message that is about to be sent, unless it has been counted before: once, however often it is tried.
 * @returns why it must not be sent.
 */
export async function countMessage(deps: Deps, row: MessageRow): Promise<OverQuota | undefined> {
  if (row.is_counted === 1) return undefined
  try {
    await deps.db.transaction(async (tx) => {
      await takeSendQuota(deps, tx, row)
      await tx.run(markCounted(row))
    })
  } catch (error) {
    if (error instanceof MessageQuotaReached) return error.reason
    throw error
  }
  return undefined
}
