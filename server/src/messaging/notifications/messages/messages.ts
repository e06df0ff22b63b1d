// Sent messages, and sending them again.
import {
  type ChannelType,
  type Message,
  type MessageStatus,
  canonicalEmail,
  canonicalPhone,
  channelTypes,
  isEmail,
  isPhone,
  messageStatuses,
} from '@bailiwick/contract'
import { addToCounters } from '../../../platform/db/counters.ts'
import { eventStatement } from '../../../platform/events/append.ts'
import { ApiError, notFound } from '../../../platform/http/api-error.ts'
import type { Actor } from '../../../platform/http/credentials/principal.ts'
import { type CreatedRange, type ListIndex, narrowed, totalOf } from '../../../platform/http/lists/list-filter.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../../platform/http/lists/page.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { dayCounter } from '../../../platform/statistics/day-counters.ts'
import { getTenant } from '../../../tenancy/tenants/tenants.ts'
import type { Deps } from '../../deps.ts'
import * as queries from '../message-queries.ts'
import { sendJob } from './queue-message.ts'
import { openContent } from './sealed-messages.ts'

/** Bodies contain codes and links, so only the development deployment shows them, even if another one stored them. */
export function presentMessage({ sealer, config }: Deps, row: queries.MessageRow): Message {
  const isShown = config.env === 'development' && row.sealed_content !== null
  const content = isShown && row.sealed_content !== null ? openContent(sealer, row, row.sealed_content) : undefined
  return {
    id: row.id,
    tenantId: row.tenant_id,
    userId: row.user_id,
    channelId: row.channel_id,
    channelType: row.channel_type,
    provider: row.provider,
    templateId: row.template_id,
    to: row.recipient,
    subject: row.subject,
    status: row.status,
    attempts: row.attempts,
    lastError: row.last_error,
    sentAt: row.sent_at,
    text: content?.text ?? null,
    html: content?.html ?? null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export interface MessageQuery extends PageQuery, CreatedRange {
  readonly status?: MessageStatus
  readonly userId?: string
  readonly to?: string
  readonly channelType?: ChannelType
}

/** Returns an address or number in its stored form. */
export const storedAddress = (to: string) => (isEmail(to) ? canonicalEmail(to) : isPhone(to) ? canonicalPhone(to) : to)

const listIndexes: readonly ListIndex[] = [
  { name: 'messages_to', columns: { recipient: null } },
  { name: 'messages_user_list', columns: { user_id: null } },
  { name: 'messages_type_status', columns: { channel_type: channelTypes, status: messageStatuses } },
]

function messageList(tenantId: TenantId, query: MessageQuery) {
  const { status, userId: user_id, channelType: channel_type, to } = query
  const recipient = to === undefined ? undefined : storedAddress(to)
  return narrowed(queries.messageSource(tenantId), { recipient, user_id, channel_type, status }, listIndexes, query)
}

/** @throws ApiError not_found */
export async function listMessages(deps: Deps, tenantId: TenantId, query: MessageQuery) {
  await getTenant(deps, tenantId)
  const request = pageRequest(query)
  const list = messageList(tenantId, query)
  const { page, total } = await selectPageAndTotal(deps.db, list, totalOf(tenantId, list, 'messages'), request)
  const data = page.rows.map((row) => presentMessage(deps, row))
  return pageEnvelope(page, data, total, request.perPage)
}

/** @throws ApiError not_found */
export async function getMessage(deps: Deps, tenantId: TenantId, id: string) {
  const row = await queries.selectMessage(deps.db, tenantId, id)
  if (row === undefined) throw notFound()
  return presentMessage(deps, row)
}

/**
 * Retries a message that was not sent yet at once; its schedule starts again.
 * @throws ApiError not_found; message_over once it is sent or no longer valid.
 */
export async function resendMessage(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, clock, personal } = deps
  return db.transaction(async (tx) => {
    const before = await queries.selectMessageForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    const now = clock.now()
    if (before.sealed_variables === null || before.expires_at <= now) throw new ApiError('message_over')
    const after: queries.MessageRow = { ...before, status: 'queued', step: 0, next_attempt_at: now, updated_at: now }
    await tx.run(queries.updateMessage(before, after))
    await tx.run(sendJob(clock, tenantId, after.lane))
    await tx.run(addToCounters(tx, tenantId, { [dayCounter('messages_queued', now)]: 1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'message.resent',
        actor,
        subjectId: id,
        data: { before: { status: before.status }, after: { status: after.status } },
      }),
    )
    return presentMessage(deps, after)
  })
}
