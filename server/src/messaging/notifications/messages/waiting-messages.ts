// What the operator sees of the messages of all tenants: how long codes wait, and whether channels send.
import type { Timestamp } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { type MessageRow, nobody } from '../message-queries.ts'

const codePurposes = ['sign_in', 'sign_up', 'verification', 'password_reset']

/** Returns when the oldest message with a code or link was queued that is still valid and waits to be sent, at any tenant. */
export async function selectOldestWaitingCode(db: Reader, now: Timestamp): Promise<Timestamp | undefined> {
  const row = await db.first<{ created_at: Timestamp }>(sql`SELECT created_at FROM messages
    WHERE status = 'queued' AND expires_at > ${now} AND purpose IN (${sql.list(codePurposes)}) AND recipient <> ${nobody}
    ORDER BY created_at LIMIT 1`)
  return row?.created_at
}

export type TriedMessage = Pick<MessageRow, 'channel_id' | 'last_error' | 'status' | 'updated_at'>

/** Reads those that a provider was asked to send, among the newest messages of all tenants. */
export const selectTriedMessages = (db: Reader, since: Timestamp, limit: number) =>
  db.all<TriedMessage>(sql`SELECT channel_id, last_error, status, updated_at
    FROM (SELECT channel_id, last_error, status, updated_at, attempts, provider FROM messages
      WHERE created_at > ${since} ORDER BY created_at DESC LIMIT ${limit}) AS newest
    WHERE attempts > 0 AND provider <> 'dev_inbox'`)
