// A database that was dumped and loaded into another PostgreSQL server keeps the transaction numbers of the old server, which may be higher
// than those of the new one. Readers order events by these numbers, so all new events would come before the readers' positions: no webhook
// would be sent and nothing sealed. This file renumbers the log with transaction numbers of the new server, so that every reader continues
// where it stopped.
import type { Reader, Transaction } from '../db/database.ts'
import { type Fragment, sql } from '../db/sql.ts'
import type { Deps } from '../deps.ts'
import { type FeedCursor, type FeedReader, cursorText, feedStart, isBefore, readPlace } from './feed.ts'

const readers: readonly FeedReader[] = ['events.webhooks', 'events.seals']
const batch = 5000
/** Higher than the position of every event of a transaction. */
const positionMax = 999_999_999_999_999

const xid = (transaction: bigint | string): Fragment => sql`CAST(CAST(${String(transaction)} AS text) AS xid8)`
const isBehind = ({ transactionId, position }: FeedCursor): Fragment =>
  sql`(transaction_id, position) > (${xid(transactionId)}, ${position})`

async function placesOf(db: Reader): Promise<FeedCursor[]> {
  const places: FeedCursor[] = []
  for (const reader of readers) places.push(await readPlace(db, reader))
  return places
}

/** Returns the server's next transaction number if an event or a reader's position has a higher one. */
async function nextIfOvertaken(db: Reader): Promise<bigint | undefined> {
  // Read before the next number, because running nodes write events and move the positions forward.
  const places = await placesOf(db)
  const last = await db.first<{ id: string }>(
    sql`SELECT CAST(transaction_id AS text) AS id FROM events ORDER BY events.transaction_id DESC LIMIT 1`,
  )
  const row = await db.first<{ next: string }>(
    sql`SELECT CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS next`,
  )
  if (row === undefined) return undefined
  const next = BigInt(row.next)
  const isOvertaken = last !== undefined && BigInt(last.id) >= next
  return isOvertaken || places.some((place) => BigInt(place.transactionId) > next) ? next : undefined
}

/** Moves events that every reader has read to transaction 0. The positions stay, so this can be interrupted and repeated. */
async function renumberSomeRead(tx: Transaction, from: bigint): Promise<number> {
  const [one = feedStart, other = feedStart] = await placesOf(tx)
  const least = isBefore(one, other) ? one : other
  return tx.run(sql`UPDATE events SET transaction_id = ${xid('0')} WHERE position IN
    (SELECT position FROM events WHERE transaction_id >= ${xid(from)} AND NOT ${isBehind(least)} LIMIT ${batch})`)
}

/** Moves the places of removed events, which every reader had read, to transaction 0, too. */
const renumberAnchors = (tx: Transaction, from: bigint) =>
  tx.run(sql`UPDATE event_anchors SET feed_place = '0.' || split_part(feed_place, '.', 2)
    WHERE CAST(split_part(feed_place, '.', 1) AS xid8) >= ${xid(from)}`)

/** Gives unread events the number of this transaction, and moves the readers' positions before it. */
async function renumberUnread(tx: Transaction): Promise<void> {
  for (const reader of readers) {
    await tx.run(sql`INSERT INTO deployment (name, value) VALUES (${reader}, ${cursorText(feedStart)})
      ON CONFLICT (name) DO UPDATE SET value = deployment.value`)
  }
  // Another node may have done this while the rows were locked.
  if ((await nextIfOvertaken(tx)) === undefined) return
  await tx.all(sql`SELECT set_config('statement_timeout', '0', true)`)
  const row = await tx.first<{ own: string }>(sql`SELECT CAST(pg_current_xact_id() AS text) AS own`)
  const own = BigInt(row?.own ?? '0')
  const places = await placesOf(tx)
  const [least = feedStart, furthest = feedStart] = places.toSorted((one, other) => (isBefore(one, other) ? -1 : 1))
  await tx.run(sql`UPDATE events SET transaction_id = CASE WHEN ${isBehind(furthest)} THEN ${xid(own)} ELSE ${xid(own - 1n)} END
    WHERE ${isBehind(least)}`)
  for (const [index, reader] of readers.entries()) {
    const isBehindTheOther = isBefore(places[index] ?? feedStart, furthest)
    const place = { transactionId: String(own - (isBehindTheOther ? 2n : 1n)), position: positionMax }
    await tx.run(sql`UPDATE deployment SET value = ${cursorText(place)} WHERE name = ${reader}`)
  }
  await tx.run(sql`DELETE FROM cache_invalidations`)
}

/** Whether the database was loaded from another PostgreSQL server and has not been started since. */
export const isFromAnotherServer = async (db: Reader & Pick<Transaction, 'engine'>): Promise<boolean> =>
  db.engine === 'postgresql' && (await nextIfOvertaken(db)) !== undefined

/** Must run before anything reads or writes the log. */
export async function resumeRestoredLog({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  if (db.engine === 'sqlite') return
  const next = await nextIfOvertaken(db)
  if (next === undefined) return
  log.warn('the database was loaded from a dump of another server: its event log is taken up where it was left')
  // The last few numbers before the next one will be given to unread events.
  const from = next > 3n ? next - 3n : 0n
  while ((await db.transaction((tx) => renumberSomeRead(tx, from))) > 0);
  await db.transaction((tx) => renumberAnchors(tx, from))
  await db.transaction(renumberUnread)
}
