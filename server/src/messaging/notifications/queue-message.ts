// Says in a transaction that somebody is to get a message. Sending is a job's: it happens if, and only if, the transaction
// is durable.
import type { ChannelType } from '@bailiwick/contract'
import { type Clock, addMilliseconds } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Transaction, WriteContext } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import type { Deps } from '../deps.ts'
import { type MessageId, type TenantId, newId } from '../../platform/ids.ts'
import { dayCounter } from '../../platform/statistics/day-counters.ts'
import type { DefaultMessageType } from './default-messages.ts'
import { chooseChannel, isDeploymentsOwn } from './find-channel.ts'
import { type MessageRow, insertMessage, nobody } from './message-queries.ts'
import { takeSendQuota } from './send-quota.ts'
import { sealVariables } from './sealed-messages.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'

/** What templates are told; what else a template of the tenant's asks for may stand beside it. */
export interface MessageVariables {
  readonly code?: string
  readonly link?: string
  /** After so long the message is not sent any more. */
  readonly expiresInMinutes?: number
  readonly user?: { readonly name: string | null }
  /** As `NewMessage.language`. */
  readonly language?: string
  readonly [name: string]: unknown
}

export interface NewMessage {
  readonly tenantId: TenantId
  readonly channelType: ChannelType
  /** null or left out: the tenant's configured channel of the type, else the deployment's. */
  readonly channelId?: string | null
  /**
   * By type: the tenant's own template where its configuration or a template's name says so, else the default. By id: that
   * one.
   */
  readonly template: { readonly type: DefaultMessageType } | { readonly id: string }
  /**
   * An address or number as it is stored. null: nobody has the one that was asked for; then it is written all the same, so that the
   * request takes as long, and dropped when it is to be sent (SECURITY A10).
   */
  readonly to: string | null
  /** Whose message it is, to be erased with the user. */
  readonly userId: string | null
  /** The reader's own choice, where it is known: a template of the tenant's in it goes first. */
  readonly language?: string | undefined
  /** Kept sealed until the message is sent or over. */
  readonly variables: MessageVariables
  /** Why it is sent, for the list of messages: `sign_in`, `verification` … */
  readonly purpose: string
  /**
   * Whose quota of the deployment's own channel it takes from at once: the transaction fails where there is none left. Where it is left
   * out, the message is counted when it is sent and not sent where there is none left, of which whoever caused it learns nothing.
   */
  readonly countedFor?: TenantId
}

const minuteMs = 60_000
/** What does not say how long it is valid is worth sending for a day. */
const validMinutes = 24 * 60
/** Jobs that one channel's messages are spread over: writers of a tenant do not queue behind one row. */
const lanes = 4

export const sendJobKind = 'messages.send'

/** One job for all that waits in a lane: a channel that hangs holds up few of its tenant's messages and nobody else's. */
export const sendJob = (clock: Clock, tenantId: TenantId, lane: string): Statement =>
  jobStatement(clock, { tenantId, kind: sendJobKind, key: lane })

/** The row and the statements that queue it, for a `write`; `build` it anew on each try. */
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

/** Whether it was counted: only what would leave through the deployment's own channel is. */
async function countAtOnce(tx: Transaction, deps: Deps, message: NewMessage): Promise<boolean> {
  const { countedFor, tenantId, channelType, channelId = null, to, purpose } = message
  if (countedFor === undefined || to === null) return false
  const via = await chooseChannel({ config: deps.config, db: tx }, tenantId, channelType, channelId)
  if (!isDeploymentsOwn(via)) return false
  await takeSendQuota(deps, tx, { tenant_id: countedFor, recipient: to, purpose })
  return true
}

/**
 * Queues a message in the transaction that causes it. Where no channel can carry it, it fails with the reason `no_channel`
 * when it is to be sent; `hasChannel` tells beforehand.
 * @throws MessageQuotaReached where the message is to be counted at once.
 */
export async function queueMessage(tx: Transaction, deps: Deps, message: NewMessage): Promise<MessageId> {
  const { row, statements } = queuedMessage(deps, tx, message, await countAtOnce(tx, deps, message))
  for (const statement of statements) await tx.run(statement)
  return row.id
}
