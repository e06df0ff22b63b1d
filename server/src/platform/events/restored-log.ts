// A database that was dumped and loaded into another PostgreSQL server keeps the numbers of the old one's transactions, which
// the new one has yet to come to. For readers that go by them everything written now would lie behind them until then: no
// webhook would be told of it and nothing sealed. So the log is taken up where it was left, under numbers of this server.
import type { Reader, Transaction } from '../db/database.ts'
import { type Fragment, sql } from '../db/sql.ts'
import type { Deps } from '../deps.ts'
import { type FeedCursor, type FeedReader, cursorText, feedStart, isBefore, readPlace } from './feed.ts'

const readers: readonly FeedReader[] = ['events.webhooks', 'events.seals']
const batch = 5000
/** Behind every event of a transaction. */
const positionMax = 999_999_999_999_999

const xid = (transaction: bigint | string): Fragment => sql`CAST(CAST(${String(transaction)} AS text) AS xid8)`
const isBehind = ({ transactionId, position }: FeedCursor): Fragment =>
  sql`(transaction_id, position) > (${xid(transactionId)}, ${position})`

async function placesOf(db: Reader): Promise<FeedCursor[]> {
  const places: FeedCursor[] = []
  for (const reader of readers) places.push(await readPlace(db, reader))
  return places
}

/** The next transaction of the server, where something is said to be of a later one. */
async function nextIfOvertaken(db: Reader): Promise<bigint | undefined> {
  // Before the number that they are held against, for running nodes move them on.
  const places = await placesOf(db)
  const row = await db.first<{ next: string; overtaken: number }>(sql`
    SELECT CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS next,
      EXISTS (SELECT 1 FROM events WHERE transaction_id >= pg_snapshot_xmax(pg_current_snapshot())) AS overtaken`)
  if (row === undefined) return undefined
  const next = BigInt(row.next)
  return row.overtaken === 1 || places.some((place) => BigInt(place.transactionId) > next) ? next : undefined
}

/** What every reader has read goes to the beginning. The places stay, so this may be cut short and begun again. */
async function renumberSomeRead(tx: Transaction, from: bigint): Promise<number> {
  const [one = feedStart, other = feedStart] = await placesOf(tx)
  const least = isBefore(one, other) ? one : other
  return tx.run(sql`UPDATE events SET transaction_id = ${xid('0')} WHERE position IN
    (SELECT position FROM events WHERE transaction_id >= ${xid(from)} AND NOT ${isBehind(least)} LIMIT ${batch})`)
}

/** What a reader has not read yet gets the number of this transaction, and the places move before it. */
async function renumberUnread(tx: Transaction): Promise<void> {
  for (const reader of readers) {
    await tx.run(sql`INSERT INTO deployment (name, value) VALUES (${reader}, ${cursorText(feedStart)})
      ON CONFLICT (name) DO UPDATE SET value = deployment.value`)
  }
  // Another node may have been faster, and had the rows locked.
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

/** Before anything reads or writes the log. */
export async function resumeRestoredLog({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  if (db.engine === 'sqlite') return
  const next = await nextIfOvertaken(db)
  if (next === undefined) return
  log.warn('the database was loaded from a dump of another server: its event log is taken up where it was left')
  // Those just before the next one are given to what is unread.
  const from = next > 3n ? next - 3n : 0n
  while ((await db.transaction((tx) => renumberSomeRead(tx, from))) > 0);
  await db.transaction(renumberUnread)
}
