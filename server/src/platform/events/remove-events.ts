// Removes the oldest events of a tenant with their seals, a stretch at a time. What is left is verified from the anchor, which moves in the
// same transaction. Nothing is removed that does not fit its seals: that would destroy the evidence.
import type { Timestamp } from '../clock.ts'
import { addToCounters } from '../db/counters.ts'
import type { Transaction } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Deps } from '../deps.ts'
import type { TenantId } from '../ids.ts'
import { type AnchorRow, findAnchor, isAnchorGenuine, proveAnchor, startOfLog } from './anchor.ts'
import { eventStatement } from './append.ts'
import { sealHash } from './chain.ts'
import { type EventRow, cursorOf, cursorText, eventCounter, isBefore, readPlace, selectTenantEventsAt } from './feed.ts'
import * as queries from './seal-queries.ts'
import { eventAnchors } from './tables.ts'

/** How many events one step removes: few enough that its transaction delays others by only some milliseconds. */
export const removedAtOnce = 500
const actor = { type: 'system', id: null, ip: null, ua: null } as const

export interface Removal {
  readonly tenantId: TenantId
  /** Only events that were created earlier are removed. */
  readonly before: Timestamp
  /** After how many days events are removed, for the event that says so. */
  readonly days: number
  /** Finds the position of the oldest event that is still needed. */
  readonly findNeeded: () => Promise<number | undefined>
}

interface Sealed {
  readonly seal: queries.SealRow
  readonly event: EventRow
}

/** A log that does not fit its seals. */
class UnverifiedLog extends Error {
  constructor(sequence: number) {
    super(`the log does not fit its seals at event ${sequence}`)
    this.name = 'UnverifiedLog'
  }
}

/**
 * Reads the stretch that can be removed now: consecutive sealed events from the beginning, which are old enough and which every reader has
 * read. The newest sealed event always stays.
 * @throws UnverifiedLog
 */
async function findStretch({ db, sealer }: Deps, removal: Removal, anchor: AnchorRow | undefined): Promise<Sealed[]> {
  const { tenantId, before, findNeeded } = removal
  const start = startOfLog(anchor)
  if (anchor !== undefined && !isAnchorGenuine(sealer, anchor)) throw new UnverifiedLog(anchor.sequence)
  // One more, so that the newest seal is known.
  const seals = await queries.selectSeals(db, tenantId, start.sequence, removedAtOnce + 1)
  // In this order: what webhooks read after this is not removed, and what they have read before is known to be needed.
  const place = await readPlace(db, 'events.webhooks')
  const needed = await findNeeded()
  const positions = seals.slice(0, -1).map((seal) => seal.event_position)
  if (positions.length === 0) return []
  const events = await selectTenantEventsAt(db, tenantId, positions)
  const byPosition = new Map(events.map((event) => [event.position, event]))
  const stretch: Sealed[] = []
  let { sequence, hash } = start
  for (const seal of seals.slice(0, -1)) {
    const event = byPosition.get(seal.event_position)
    sequence++
    if (event === undefined || seal.sequence !== sequence || sealHash(hash, sequence, event) !== seal.hash) {
      throw new UnverifiedLog(sequence)
    }
    if (event.created_at >= before || event.position === needed || isBefore(place, cursorOf(event))) break
    stretch.push({ seal, event })
    ;({ hash } = seal)
  }
  return stretch
}

function countsToSubtract(events: readonly EventRow[]): Record<string, number> {
  const counts: Record<string, number> = { [eventCounter()]: -events.length }
  for (const { type } of events) counts[eventCounter(type)] = (counts[eventCounter(type)] ?? 0) - 1
  return counts
}

const insertAnchor = eventAnchors.insert
const moveAnchor = eventAnchors.set('sequence', 'hash', 'newest_created_at', 'removed_at', 'feed_place', 'sealed_proof')

/** Moves the anchor unless another node has moved it; then nothing is removed. */
async function placeAnchor(tx: Transaction, before: AnchorRow | undefined, after: AnchorRow): Promise<boolean> {
  if (before === undefined) return (await tx.run(sql`${insertAnchor(after)} ON CONFLICT (tenant_id) DO NOTHING`)) === 1
  const moved = await tx.run(
    sql`${moveAnchor(after)} WHERE tenant_id = ${after.tenant_id} AND sequence = ${before.sequence}`,
  )
  return moved === 1
}

function nextAnchor({ clock, sealer }: Deps, tenantId: TenantId, last: Sealed, newest: Timestamp): AnchorRow {
  const place = { tenant_id: tenantId, sequence: last.seal.sequence, hash: last.seal.hash, newest_created_at: newest }
  return {
    ...place,
    removed_at: clock.now(),
    feed_place: cursorText(cursorOf(last.event)),
    sealed_proof: proveAnchor(sealer, place),
  }
}

const latest = (times: readonly Timestamp[], first: Timestamp) =>
  times.reduce((newest, time) => (time > newest ? time : newest), first)

async function removeStretch(
  deps: Deps,
  { tenantId, days }: Removal,
  anchor: AnchorRow | undefined,
  stretch: readonly Sealed[],
) {
  const { db, clock, personal } = deps
  const events = stretch.map(({ event }) => event)
  const [first] = events
  const last = stretch.at(-1)
  if (first === undefined || last === undefined) return 0
  const newest = latest(
    events.map((event) => event.created_at),
    anchor?.newest_created_at ?? first.created_at,
  )
  const next = nextAnchor(deps, tenantId, last, newest)
  return db.transaction(async (tx) => {
    if (!(await placeAnchor(tx, anchor, next))) return 0
    await tx.run(sql`DELETE FROM event_seals
      WHERE tenant_id = ${tenantId} AND sequence IN (${sql.list(stretch.map(({ seal }) => seal.sequence))})`)
    await tx.run(sql`DELETE FROM events
      WHERE tenant_id = ${tenantId} AND position IN (${sql.list(events.map((event) => event.position))})`)
    await tx.run(addToCounters(tx, tenantId, countsToSubtract(events)))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'events.removed',
        actor,
        subjectId: tenantId,
        data: { count: events.length, removed: next.sequence, newestCreatedAt: newest, days },
      }),
    )
    return events.length
  })
}

/**
 * Removes the next events of a tenant, at most 500.
 * @returns how many; 0 if nothing can be removed now, or if another node is just removing them
 */
export async function removeOldEvents(deps: Deps, removal: Removal): Promise<number> {
  const { tenantId } = removal
  const anchor = await findAnchor(deps.db, tenantId)
  try {
    const stretch = await findStretch(deps, removal, anchor)
    // Otherwise each removal would be removed at some time, by one that is written down again, in a log where nothing else happens.
    if (stretch.every(({ event }) => event.type === 'events.removed')) return 0
    return await removeStretch(deps, removal, anchor, stretch)
  } catch (error) {
    if (!(error instanceof UnverifiedLog)) throw error
    // Another node has removed this stretch while it was read.
    const now = await findAnchor(deps.db, tenantId)
    if (now?.sequence !== anchor?.sequence) return 0
    deps.log.error({ tenantId, reason: error.message }, 'old events are not removed: run bailiwick verify-log')
    return 0
  }
}
