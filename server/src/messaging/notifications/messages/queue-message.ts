// Queues a message within a transaction. A job sends it if, and only if, the transaction is committed.
import type { ChannelType } from '@bailiwick/contract'
import { type Clock, addMilliseconds } from '../../../platform/clock.ts'
import { addToCounters } from '../../../platform/db/counters.ts'
import type { Transaction, WriteContext } from '../../../platform/db/database.ts'
import type { Statement } from '../../../platform/db/sql.ts'
import { type MessageId, type TenantId, newId } from '../../../platform/ids.ts'
import { jobStatement } from '../../../platform/jobs/jobs.ts'
import { dayCounter } from '../../../platform/statistics/day-counters.ts'
import type { Deps } from '../../deps.ts'
import { chooseChannel, isDeploymentsOwn } from '../channels/find-channel.ts'
import { type MessageRow, insertMessage, nobody } from '../message-queries.ts'
import type { DefaultMessageType } from '../rendering/default-messages.ts'
import { sealVariables } from './sealed-messages.ts'
import { takeSendQuota } from './send-quota.ts'

/** The variables for templates. A tenant's own template may use others too. */
export interface MessageVariables {
  readonly code?: string
  readonly link?: string
  /** The message is not sent after this time. */
  readonly expiresInMinutes?: number
  readonly user?: { readonly name: string | null }
  /** As `NewMessage.language`. */
  readonly language?: string
  readonly [name: string]: unknown
}

export interface NewMessage {
  readonly tenantId: TenantId
  readonly channelType: ChannelType
  /** null or undefined means the tenant's configured channel of the type, else the deployment's. */
  readonly channelId?: string | null
  /** By type: the tenant's own template, if its configuration or a template's name says so, else the default. By id: that template. */
  readonly template: { readonly type: DefaultMessageType } | { readonly id: string }
  /**
   * An address or number in its stored form. null means that nobody has the requested address. The message is then queued all the same, so
   * that the request takes as long, and dropped instead of being sent.
   */
  readonly to: string | null
  /** The user for whom the message is, so that it can be erased with the user. */
  readonly userId: string | null
  /** The reader's own choice of language, if it is known. A template of the tenant in this language takes precedence. */
  readonly language?: string | undefined
  /** Stored sealed until the message is sent or expired. */
  readonly variables: MessageVariables
  /** The purpose, for the list of messages: `sign_in`, `verification` … */
  readonly purpose: string
  /**
   * The tenant whose quota of the deployment's own channel is charged at once; the transaction fails if the quota is used up. Without this,
   * the message is counted when it is sent, and silently not sent if the quota is used up.
   */
  readonly countedFor?: TenantId
}

const minuteMs = 60_000
/** Messages without a stated validity are sent within a day or not at all. */
const validMinutes = 24 * 60
/** The number of jobs over which one channel's messages are spread, so that writers of a tenant do not queue behind one row. */
const lanes = 4

export const sendJobKind = 'messages.send'

/** One job for all messages that wait in a lane. A channel that hangs delays few messages of its tenant, and none of other tenants. */
export const sendJob = (clock: Clock, tenantId: TenantId, lane: string): Statement =>
  jobStatement(clock, { tenantId, kind: sendJobKind, key: lane })

/** The row and the statements that queue it, for a `write`; `build` makes new ones on each try. */
export function queuedMessage({ clock, sealer }: Deps, context: WriteContext, message: NewMessage, isCounted = false) {
  const { tenantId, channelType, template, language } = message
  const variables = language === undefined ? message.variables : { ...message.variables, language }
  const id: MessageId = newId()
  const [now, at] = [clock.now(), clock.next()]
  const row: MessageRow = {
    tenant_id: tenantId,
    id,
    user_id: message.userId,
    channel_type: channelType,
    channel_id: message.channelId ?? null,
    provider: null,
    template_id: 'id' in template ? template.id : null,
    template_type: 'type' in template ? template.type : null,
    purpose: message.purpose,
    recipient: message.to ?? nobody,
    subject: null,
    sealed_variables: sealVariables(sealer, { tenant_id: tenantId, id }, variables),
    sealed_content: null,
    lane: `${message.channelId ?? channelType}:${context.shard % lanes}`,
    is_counted: Number(isCounted),
    status: 'queued',
    step: 0,
    attempts: 0,
    last_error: null,
    next_attempt_at: now,
    sent_at: null,
    expires_at: addMilliseconds(now, (variables.expiresInMinutes ?? validMinutes) * minuteMs),
    created_at: at,
    updated_at: at,
  }
  const statements: Statement[] = [
    insertMessage(row),
    sendJob(clock, tenantId, row.lane),
    addToCounters(context, tenantId, { messages: 1, [dayCounter('messages_queued', at)]: 1 }),
  ]
  return { row, statements }
}

/** Whether it was counted; only messages for the deployment's own channel are. */
async function countAtOnce(tx: Transaction, deps: Deps, message: NewMessage): Promise<boolean> {
  const { countedFor, tenantId, channelType, channelId = null, to, purpose } = message
  if (countedFor === undefined || to === null) return false
  const via = await chooseChannel({ config: deps.config, db: tx }, tenantId, channelType, channelId)
  if (!isDeploymentsOwn(via)) return false
  await takeSendQuota(deps, tx, { tenant_id: countedFor, recipient: to, purpose })
  return true
}

/**
 * Queues a message in the transaction that causes it. If no channel can send it, it fails with the reason `no_channel` when it is due;
 * `hasChannel` tells this in advance.
 * @throws MessageQuotaReached if the message must be counted at once.
 */
export async function queueMessage(tx: Transaction, deps: Deps, message: NewMessage): Promise<MessageId> {
  const { row, statements } = queuedMessage(deps, tx, message, await countAtOnce(tx, deps, message))
  for (const statement of statements) await tx.run(statement)
  return row.id
}
