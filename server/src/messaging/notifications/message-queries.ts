import type { ChannelProvider, ChannelType, MessageStatus } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { MessageId, TenantId } from '../../platform/ids.ts'

export interface MessageRow {
  readonly tenant_id: TenantId
  readonly id: MessageId
  readonly user_id: string | null
  readonly channel_type: ChannelType
  /** Asked for, or chosen when it was sent; null: the deployment's own. */
  readonly channel_id: string | null
  readonly provider: ChannelProvider | null
  readonly template_id: string | null
  readonly template_type: string | null
  readonly purpose: string
  /** `nobody` where there is no one to send it to; such a message is not shown anywhere. */
  readonly recipient: string
  /** With its codes and links hidden. */
  readonly subject: string | null
  /** JSON of the variables, sealed; gone once it is sent or over. */
  readonly sealed_variables: string | null
  /** JSON of what was said, sealed; in the development deployment alone. */
  readonly sealed_content: string | null
  /** The job that sends it. */
  readonly lane: string
  /** Whether it was taken from the quotas of the deployment's own channel. */
  readonly is_counted: number
  readonly status: MessageStatus
  /** Failures since the schedule began. */
  readonly step: number
  readonly attempts: number
  readonly last_error: string | null
  readonly next_attempt_at: Timestamp | null
  readonly sent_at: Timestamp | null
  readonly expires_at: Timestamp
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/** The recipient of what is written so that an address that nobody has takes as long as another. */
export const nobody = ''

const columns: Fragment = sql`tenant_id, id, user_id, channel_type, channel_id, provider, template_id, template_type,
  purpose, recipient, subject, sealed_variables, sealed_content, lane, is_counted, status, step, attempts, last_error,
  next_attempt_at, sent_at, expires_at, created_at, updated_at`

export const messageSource = (tenantId: TenantId) => ({
  columns,
  table: sql`messages`,
  where: sql`tenant_id = ${tenantId} AND recipient <> ${nobody}`,
})

export const selectMessage = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<MessageRow>(
    sql`SELECT ${columns} FROM messages WHERE tenant_id = ${tenantId} AND id = ${id} AND recipient <> ${nobody}`,
  )

/** The row, held until the transaction ends. */
export const selectMessageForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<MessageRow>(
    sql`SELECT ${columns} FROM messages
      WHERE tenant_id = ${tenantId} AND id = ${id} AND recipient <> ${nobody}${sql.forUpdate}`,
  )

export const insertMessage = (row: MessageRow): Statement => sql`INSERT INTO messages (tenant_id, id, user_id,
    channel_type, channel_id, template_id, template_type, purpose, recipient, sealed_variables, lane, is_counted, status,
    next_attempt_at, expires_at, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.user_id}, ${row.channel_type}, ${row.channel_id}, ${row.template_id},
    ${row.template_type}, ${row.purpose}, ${row.recipient}, ${row.sealed_variables}, ${row.lane}, ${row.is_counted},
    ${row.status},
    ${row.next_attempt_at}, ${row.expires_at}, ${row.created_at}, ${row.updated_at})`

/** Only of the message as it was read: a second account of the same attempt changes nothing. */
export const updateMessage = (before: MessageRow, after: MessageRow): Statement => sql`UPDATE messages
  SET channel_id = ${after.channel_id}, provider = ${after.provider}, template_id = ${after.template_id},
    subject = ${after.subject}, sealed_variables = ${after.sealed_variables}, sealed_content = ${after.sealed_content},
    status = ${after.status}, step = ${after.step}, attempts = ${after.attempts}, last_error = ${after.last_error},
    next_attempt_at = ${after.next_attempt_at}, sent_at = ${after.sent_at}, updated_at = ${after.updated_at}
  WHERE tenant_id = ${before.tenant_id} AND id = ${before.id} AND status = ${before.status}
    AND attempts = ${before.attempts} AND step = ${before.step}`

export const markCounted = ({ tenant_id: tenantId, id }: MessageRow): Statement =>
  sql`UPDATE messages SET is_counted = 1 WHERE tenant_id = ${tenantId} AND id = ${id}`

/** Those whose time has come, the longest waiting first. */
export const selectDueMessages = (db: Reader, tenantId: TenantId, lane: string, now: Timestamp, limit: number) =>
  db.all<MessageRow>(sql`SELECT ${columns} FROM messages
    WHERE tenant_id = ${tenantId} AND lane = ${lane} AND status = 'queued' AND next_attempt_at <= ${now}
    ORDER BY next_attempt_at LIMIT ${limit}`)

export async function selectNextAttempt(db: Reader, tenantId: TenantId, lane: string): Promise<Timestamp | undefined> {
  const row = await db.first<{ next_attempt_at: Timestamp }>(sql`SELECT next_attempt_at FROM messages
    WHERE tenant_id = ${tenantId} AND lane = ${lane} AND status = 'queued' ORDER BY next_attempt_at LIMIT 1`)
  return row?.next_attempt_at
}

/** Of all tenants, for the development inbox alone. */
export const selectNewestMessages = (db: Reader, to: string | undefined, limit: number) =>
  db.all<MessageRow>(
    to === undefined
      ? sql`SELECT ${columns} FROM messages WHERE recipient <> ${nobody} ORDER BY created_at DESC LIMIT ${limit}`
      : sql`SELECT ${columns} FROM messages WHERE recipient = ${to} ORDER BY created_at DESC LIMIT ${limit}`,
  )

export const deleteMessagesOfUser = (tenantId: TenantId, userId: string): Statement =>
  sql`DELETE FROM messages WHERE tenant_id = ${tenantId} AND user_id = ${userId}`

/** Of the oldest of all tenants. */
export const selectOldMessages = (db: Reader, before: Timestamp, limit: number) =>
  db.all<Pick<MessageRow, 'tenant_id' | 'id'>>(
    sql`SELECT tenant_id, id FROM messages WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit}`,
  )

export const deleteMessages = (tenantId: TenantId, ids: readonly string[]): Statement =>
  sql`DELETE FROM messages WHERE tenant_id = ${tenantId} AND id IN (${sql.join(
    ids.map((id) => sql`${id}`),
    ', ',
  )})`

/** Those that are no longer to be sent and still hold what they would have said. */
export const selectOverVariables = (db: Reader, now: Timestamp, limit: number) =>
  db.all<Pick<MessageRow, 'tenant_id' | 'id'>>(sql`SELECT tenant_id, id FROM messages
    WHERE expires_at < ${now} AND sealed_variables IS NOT NULL AND status <> 'queued' ORDER BY expires_at LIMIT ${limit}`)

export const forgetVariables = (tenantId: TenantId, ids: readonly string[]): Statement =>
  sql`UPDATE messages SET sealed_variables = NULL WHERE tenant_id = ${tenantId} AND id IN (${sql.join(
    ids.map((id) => sql`${id}`),
    ', ',
  )})`
