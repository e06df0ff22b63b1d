import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { messages } from './tables.ts'

export type MessageRow = RowOf<typeof messages>

/** The recipient of messages that are written only so that an unknown address takes as long as a known one. */
export const nobody = ''

export const messageSource = (tenantId: TenantId) =>
  messages.source(sql`tenant_id = ${tenantId} AND recipient <> ${nobody}`)

/** Messages that were caught for the tenant since a time. */
export const inboxSource = (tenantId: TenantId, since: Timestamp, isWanted: Fragment) =>
  messages.source(sql`tenant_id = ${tenantId} AND created_at > ${since} AND provider = 'dev_inbox'
    AND sealed_content IS NOT NULL${isWanted}`)

export const selectMessage = (db: Reader, tenantId: TenantId, id: string) =>
  messages.first(db)`tenant_id = ${tenantId} AND id = ${id} AND recipient <> ${nobody}`

/** Returns the row, locked until the transaction ends. */
export const selectMessageForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  messages.first(db)`tenant_id = ${tenantId} AND id = ${id} AND recipient <> ${nobody}${sql.forUpdate}`

export const insertMessage = messages.insert

const setMessage = messages.set(
  'channel_id',
  'provider',
  'template_id',
  'subject',
  'sealed_variables',
  'sealed_content',
  'status',
  'step',
  'attempts',
  'last_error',
  'next_attempt_at',
  'sent_at',
  'updated_at',
)

/** Changes the message only if it is still as it was read, so that the result of an attempt is recorded once. */
export const updateMessage = (before: MessageRow, after: MessageRow): Statement =>
  sql`${setMessage(after)} WHERE tenant_id = ${before.tenant_id} AND id = ${before.id} AND status = ${before.status}
    AND attempts = ${before.attempts} AND step = ${before.step}`

export const markCounted = ({ tenant_id: tenantId, id }: MessageRow): Statement =>
  sql`UPDATE messages SET is_counted = 1 WHERE tenant_id = ${tenantId} AND id = ${id}`

/** Messages that are due, the longest waiting first. */
export const selectDueMessages = (db: Reader, tenantId: TenantId, lane: string, now: Timestamp, limit: number) =>
  messages.all(db)`tenant_id = ${tenantId} AND lane = ${lane} AND status = 'queued' AND next_attempt_at <= ${now}
    ORDER BY next_attempt_at LIMIT ${limit}`

export async function selectNextAttempt(db: Reader, tenantId: TenantId, lane: string): Promise<Timestamp | undefined> {
  const row = await db.first<{ next_attempt_at: Timestamp }>(sql`SELECT next_attempt_at FROM messages
    WHERE tenant_id = ${tenantId} AND lane = ${lane} AND status = 'queued' ORDER BY next_attempt_at LIMIT 1`)
  return row?.next_attempt_at
}

/** Reads the messages of all tenants, for the development inbox only. */
export const selectNewestMessages = (db: Reader, to: string | undefined, limit: number) => {
  const isWanted = to === undefined ? sql`recipient <> ${nobody}` : sql`recipient = ${to}`
  return messages.all(db)`${isWanted} ORDER BY created_at DESC LIMIT ${limit}`
}

export const deleteMessagesOfUser = (tenantId: TenantId, userId: string): Statement =>
  sql`DELETE FROM messages WHERE tenant_id = ${tenantId} AND user_id = ${userId}`

/** Reads the oldest messages of all tenants. */
export const selectOldMessages = (db: Reader, before: Timestamp, limit: number) =>
  db.all<Pick<MessageRow, 'tenant_id' | 'id'>>(
    sql`SELECT tenant_id, id FROM messages WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit}`,
  )

export const deleteMessages = (tenantId: TenantId, ids: readonly string[]): Statement =>
  sql`DELETE FROM messages WHERE tenant_id = ${tenantId} AND id IN (${sql.list(ids)})`

/** Messages of all tenants that were caught and still hold what they say. */
export const selectOldCaught = (db: Reader, before: Timestamp, limit: number) =>
  db.all<Pick<MessageRow, 'tenant_id' | 'id'>>(sql`SELECT tenant_id, id FROM messages
    WHERE provider = 'dev_inbox' AND sealed_content IS NOT NULL AND created_at < ${before}
    ORDER BY created_at LIMIT ${limit}`)

export const forgetContents = (tenantId: TenantId, ids: readonly string[]): Statement =>
  sql`UPDATE messages SET sealed_content = NULL WHERE tenant_id = ${tenantId} AND id IN (${sql.list(ids)})`

/** Messages that will not be sent any more and still hold their variables. */
export const selectOverVariables = (db: Reader, now: Timestamp, limit: number) =>
  db.all<Pick<MessageRow, 'tenant_id' | 'id'>>(sql`SELECT tenant_id, id FROM messages
    WHERE expires_at < ${now} AND sealed_variables IS NOT NULL AND status <> 'queued' ORDER BY expires_at LIMIT ${limit}`)

export const forgetVariables = (tenantId: TenantId, ids: readonly string[]): Statement =>
  sql`UPDATE messages SET sealed_variables = NULL WHERE tenant_id = ${tenantId} AND id IN (${sql.list(ids)})`
