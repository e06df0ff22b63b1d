// Reads the event log forward, in an order in which nothing is ever added behind a reader. On SQLite that is the position. On PostgreSQL
// positions are assigned before transactions commit, so the order is (transaction, position), and a reader stops before the oldest open
// transaction: an event that commits late comes late in the feed and is never skipped. On a sharded database, the numbers of transactions are
// those of the coordinator, which is asked first.
import { findHorizon, horizonSource } from '../db/citus/horizon.ts'
import type { Database, EngineName, Reader, Transaction } from '../db/database.ts'
import { type Fragment, sql } from '../db/sql.ts'
import type { RowOf } from '../db/table.ts'
import { deployment } from '../db/tables.ts'
import type { TenantId } from '../ids.ts'
import { events } from './tables.ts'

/** How far a reader has come: everything up to and including this has been read. */
export interface FeedCursor {
  /** PostgreSQL's 64-bit transaction number in decimal; 0 on SQLite. */
  readonly transactionId: string
  readonly position: number
}

export const feedStart: FeedCursor = { transactionId: '0', position: 0 }

/** Returns the name of the counter of a tenant's sealed events, or of those of one type. */
export const eventCounter = (type?: string) => (type === undefined ? 'events' : `events:${type}`)

export type EventRow = RowOf<typeof events>

/** An event's columns without its place in the feed. */
export const shownEvents = events.without('transaction_id')
export type ShownEvent = RowOf<typeof shownEvents>
export const eventColumns: Fragment = shownEvents.columns

export const cursorText = ({ transactionId, position }: FeedCursor) => `${transactionId}.${position}`

/** Returns undefined for a text that is not a cursor. */
export function parseFeedCursor(text: string): FeedCursor | undefined {
  const [, transactionId, position] = /^(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,14})$/.exec(text) ?? []
  if (transactionId === undefined || position === undefined) return undefined
  return { transactionId, position: Number(position) }
}

export const cursorOf = (row: Pick<EventRow, 'transaction_id' | 'position'>): FeedCursor => ({
  transactionId: row.transaction_id,
  position: row.position,
})

export function isBefore(one: FeedCursor, other: FeedCursor): boolean {
  const [mine, theirs] = [BigInt(one.transactionId), BigInt(other.transactionId)]
  return mine === theirs ? one.position < other.position : mine < theirs
}

/** The condition for events after the cursor that no open transaction can precede. */
function isAfter(engine: EngineName, { transactionId, position }: FeedCursor, horizon: string | undefined): Fragment {
  if (engine === 'sqlite') return sql`position > ${position}`
  const end =
    horizon === undefined ? sql`pg_snapshot_xmin(pg_current_snapshot())` : sql`CAST(CAST(${horizon} AS text) AS xid8)`
  return sql`(transaction_id, position) > (CAST(CAST(${transactionId} AS text) AS xid8), ${position})
    AND transaction_id < ${end}`
}

/** The condition for events at or before the cursor. */
export function isUpTo(engine: EngineName, { transactionId, position }: FeedCursor): Fragment {
  if (engine === 'sqlite') return sql`events.position <= ${position}`
  return sql`(events.transaction_id, events.position) <= (CAST(CAST(${transactionId} AS text) AS xid8), ${position})`
}

async function readAfter(db: Database, tenantId: TenantId | undefined, after: FeedCursor, limit: number) {
  const condition = isAfter(db.engine, after, await findHorizon(db))
  const where = tenantId === undefined ? condition : sql`tenant_id = ${tenantId} AND ${condition}`
  const query =
    db.engine === 'sqlite'
      ? sql`SELECT '0' AS transaction_id, ${eventColumns} FROM events WHERE ${where} ORDER BY position LIMIT ${limit}`
      : sql`SELECT CAST(transaction_id AS text) AS transaction_id, ${eventColumns} FROM events WHERE ${where}
        ORDER BY events.transaction_id, position LIMIT ${limit}`
  return db.all<EventRow>(query)
}

/** Reads the next events of all tenants, at most `limit`. */
export const readFeed = (db: Database, after: FeedCursor, limit: number) => readAfter(db, undefined, after, limit)

/** Reads the next events of one tenant, at most `limit`. */
export const readTenantFeed = (db: Database, tenantId: TenantId, after: FeedCursor, limit: number) =>
  readAfter(db, tenantId, after, limit)

/** Returns the events of a tenant at these positions, with their places in the feed. */
export function selectTenantEventsAt(db: Database, tenantId: TenantId, positions: readonly number[]) {
  const transaction = db.engine === 'sqlite' ? sql`'0'` : sql`CAST(transaction_id AS text)`
  return db.all<EventRow>(sql`SELECT ${transaction} AS transaction_id, ${eventColumns} FROM events
    WHERE tenant_id = ${tenantId} AND position IN (${sql.list(positions)}) LIMIT ${positions.length}`)
}

/** Returns the present end of the feed; everything written from now on comes after it. */
export async function feedEnd(db: Database): Promise<FeedCursor> {
  if (db.engine === 'sqlite') {
    const row = await db.first<{ position: number | null }>(sql`SELECT max(position) AS position FROM events`)
    return { transactionId: '0', position: row?.position ?? 0 }
  }
  const row = await db.first<{ horizon: string }>(await horizonSource(db))
  return { transactionId: row?.horizon ?? '0', position: 0 }
}

/** The condition for events that the reader has not read, even if it may not read them yet; for a statement over `events`. */
export function isUnread(engine: EngineName, reader: FeedReader): Fragment {
  const ofPlace = (part: Fragment, start: Fragment) =>
    sql`COALESCE((SELECT ${part} FROM deployment WHERE name = ${reader}), ${start})`
  if (engine === 'sqlite') {
    return sql`position > ${ofPlace(sql`CAST(substr(value, instr(value, '.') + 1) AS INTEGER)`, sql`0`)}`
  }
  return sql`(transaction_id, position) > (${ofPlace(sql`CAST(split_part(value, '.', 1) AS xid8)`, sql`CAST('0' AS xid8)`)},
    ${ofPlace(sql`CAST(split_part(value, '.', 2) AS bigint)`, sql`0`)})`
}

/** The readers whose position is stored in `deployment`. */
export type FeedReader = 'events.webhooks' | 'events.seals'

export async function readPlace(db: Reader, reader: FeedReader): Promise<FeedCursor> {
  const row = await deployment.byKey(db, reader)
  if (row === undefined) return feedStart
  const cursor = parseFeedCursor(row.value)
  if (cursor === undefined) throw new Error(`the place of ${reader} in the event log is not readable`)
  return cursor
}

/**
 * Moves the reader forward, in the transaction that writes the results of the events it read.
 * @returns false when another node has moved it meanwhile; the transaction must then be rolled back.
 */
export async function movePlace(
  tx: Transaction,
  reader: FeedReader,
  from: FeedCursor,
  to: FeedCursor,
): Promise<boolean> {
  await tx.run(
    sql`INSERT INTO deployment (name, value) VALUES (${reader}, ${cursorText(feedStart)}) ON CONFLICT (name) DO NOTHING`,
  )
  const moved = await tx.run(
    sql`UPDATE deployment SET value = ${cursorText(to)} WHERE name = ${reader} AND value = ${cursorText(from)}`,
  )
  return moved === 1
}

/** Thrown inside a transaction whose reader another node has moved, to roll it back. */
export class PlaceMoved extends Error {
  constructor() {
    super('another node has read on meanwhile')
    this.name = 'PlaceMoved'
  }
}
