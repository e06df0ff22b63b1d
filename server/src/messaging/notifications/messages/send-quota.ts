// Limits the messages sent through the deployment's own channel: a number a day for each tenant and for all tenants of one creator, and a
// number for each recipient over all tenants. Messages through a tenant's own channel are not limited.
import { type Timestamp, addMilliseconds, machineTime } from '../../../platform/clock.ts'
import type { Reader, Transaction } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { type UsesRow, takeUse } from '../../../platform/quotas/quotas.ts'
import { dayMs, dayOf } from '../../../platform/statistics/day-counters.ts'
import type { Deps } from '../../deps.ts'
import { type MessageRow, markCounted } from '../message-queries.ts'
import { tenantLimits } from '../tables.ts'
import { isInvitation } from './invitation-message.ts'
import { recipientKey } from './recipient-key.ts'
import { findSendingAccount } from './sending-account.ts'

export type OverQuota = 'tenant_over_quota' | 'creator_over_quota' | 'recipient_over_quota'

const sentences: Readonly<Record<OverQuota, string>> = {
  tenant_over_quota:
    "This tenant has reached its limit of messages per day through the deployment's own channel. The operator can raise the limit; a channel of the tenant has no limit.",
  creator_over_quota:
    "The tenants of this tenant's creator, and of those whom the creator has invited to the console, have together reached the limit of messages per day through the deployment's own channel. The operator can set a separate limit for this tenant; a channel of the tenant has no limit.",
  recipient_over_quota:
    "The limit of messages to this address through the deployment's own channel is reached. Try again after the time in Retry-After.",
}

export class MessageQuotaReached extends ApiError {
  readonly reason: OverQuota
  constructor(reason: OverQuota, retryAfterSeconds: number) {
    super('message_quota_reached', { detail: sentences[reason], retryAfterSeconds })
    this.reason = reason
  }
}

const tenantQuota = 'messages:day'
/** Counted at the console's tenant, where it stays when the tenants are deleted. */
const creatorQuota = 'creator_messages:day'
/** How many rows a tenant's quota is spread over, so that its writers do not queue behind one. */
const parts = 4
const hourMs = 60 * 60_000
/**
 * How many messages a tenant may always send a recipient within a day, whatever other tenants have sent, so that nobody can prevent a
 * sign-in elsewhere by causing mail to the person. Invitations have no such reserve, because nobody waits for them.
 */
const reserved = { name: 'recipient_reserve:day', usesMax: 5 }

const nextDay = (now: Timestamp) => `${dayOf(addMilliseconds(now, dayMs))}T00:00:00.000000Z` as Timestamp

/** Returns the operator's limit for a tenant. */
export async function selectMessagesPerDay(db: Reader, tenantId: TenantId): Promise<number | null> {
  return (await tenantLimits.byKey(db, tenantId))?.messages_per_day ?? null
}

/** Uses of a day that are spread over several rows. */
interface DayCount {
  readonly tenantId: TenantId
  readonly name: string
  /** What the subjects of the rows begin with. */
  readonly prefix: string
}

const countOfTenant = (tenantId: TenantId): DayCount => ({ tenantId, name: tenantQuota, prefix: '' })
const subjects = ({ prefix }: DayCount) => Array.from({ length: parts }, (_part, part) => `${prefix}${part}`)

const usedParts = (db: Reader, count: DayCount, now: Timestamp) =>
  db.all<{ subject: string; used: number }>(sql`SELECT subject, used FROM quotas
    WHERE tenant_id = ${count.tenantId} AND name = ${count.name} AND subject IN (${sql.list(subjects(count))})
      AND window_ends_at = ${nextDay(now)} LIMIT ${parts}`)

/** Returns how many messages a tenant has sent today; moving its clock ahead begins no new day. */
export async function readSentToday({ db, clock }: Deps, tenantId: TenantId) {
  const now = machineTime(clock)
  const rows = await usedParts(db, countOfTenant(tenantId), now)
  return { messagesToday: rows.reduce((sum, { used }) => sum + used, 0), resetsAt: nextDay(now) }
}

/** @throws MessageQuotaReached with the reason, if the day's uses are used up. */
async function takeFromDay({ clock }: Deps, tx: Transaction, count: DayCount, usesMax: number, reason: OverQuota) {
  const now = machineTime(clock)
  const endsAt = nextDay(now)
  const used = new Map((await usedParts(tx, count, now)).map((row) => [row.subject, row.used]))
  const rows = subjects(count)
  for (let offset = 0; offset < parts; offset++) {
    const part = (tx.shard + offset) % parts
    const subject = rows[part] ?? ''
    // Rounded so that the parts add up to the whole.
    const span = { usesMax: Math.floor((usesMax + part) / parts), now, endsAt }
    const row: UsesRow = { table: 'quotas', key: { tenant_id: count.tenantId, name: count.name, subject } }
    // Uses are only ever added, so a part that was full need not be locked.
    const isFull = (used.get(subject) ?? 0) >= span.usesMax
    if (!isFull && (await takeUse(tx, row, span)) === 0) return
  }
  const untilNextDay = Math.ceil((Date.parse(endsAt) - Date.parse(now)) / 1000)
  throw new MessageQuotaReached(reason, Math.max(1, untilNextDay))
}

/** Counts for the tenant and, unless the operator has decided about this tenant, for who has created it. */
async function takeFromTenant(deps: Deps, tx: Transaction, tenantId: TenantId) {
  const { perTenantPerDay, perCreatorPerDay } = deps.config.sending
  const decided = await selectMessagesPerDay(tx, tenantId)
  const account = decided === null ? await findSendingAccount(tx, tenantId) : undefined
  if (account !== undefined) {
    const count = { tenantId: account.consoleTenantId, name: creatorQuota, prefix: `${account.accountId}:` }
    await takeFromDay(deps, tx, count, perCreatorPerDay, 'creator_over_quota')
  }
  await takeFromDay(deps, tx, countOfTenant(tenantId), decided ?? perTenantPerDay, 'tenant_over_quota')
}

type Sent = Pick<MessageRow, 'tenant_id' | 'recipient' | 'purpose'>

async function takeFromRecipient({ config, clock, hashCode }: Deps, tx: Transaction, sent: Sent) {
  const { perRecipientPerHour, perRecipientPerDay } = config.sending
  const now = machineTime(clock)
  const recipient = hashCode(JSON.stringify(['message recipient', recipientKey(sent.recipient)]))
  // Counted separately, so that invitations do not block codes, and a refused invitation does not reveal that others have requested codes.
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
 * Counts a message in the transaction that causes or sends it. If this throws, the transaction must not be committed.
 * @throws MessageQuotaReached
 */
export async function takeSendQuota(deps: Deps, tx: Transaction, sent: Sent): Promise<void> {
  await takeFromRecipient(deps, tx, sent)
  // Last, because the tenant's other messages wait for this row.
  await takeFromTenant(deps, tx, sent.tenant_id)
}

/**
 * Counts a message that is about to be sent, once, even if it is tried several times.
 * @returns the reason if it must not be sent.
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
