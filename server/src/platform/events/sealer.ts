// Seals the event log in the background, so that writing events waits for nothing: hash chains, checkpoints, and the event counts that
// lists show.
import { type Timestamp, toMs } from '../clock.ts'
import { SealError } from '../crypto/sealed.ts'
import { openSigningKey } from '../crypto/signing-keys.ts'
import { addToCountersOfMany } from '../db/counters.ts'
import type { Deps } from '../deps.ts'
import type { SigningKeyId, TenantId } from '../ids.ts'
import { ownTurn } from '../turns/loop-turns.ts'
import { chainStart, sealHash, signCheckpoint } from './chain.ts'
import { type EventRow, PlaceMoved, cursorOf, eventCounter, movePlace, readFeed, readPlace } from './feed.ts'
import * as queries from './seal-queries.ts'

/** How many events one step seals: few enough that its transaction delays others by only some milliseconds. */
const batch = 500
/** How many events of a tenant are chained at once; requests are answered between two such groups. */
const chainedAtOnce = 25
/** How many tenants' checkpoints are signed at once; requests are answered between two such groups. */
const signedAtOnce = 20

/** The events of one tenant in a batch, chained to those sealed before. */
interface Chained {
  readonly tenantId: TenantId
  readonly seals: readonly queries.SealRow[]
  readonly checkpoint: queries.CheckpointRow
  readonly counts: Readonly<Record<string, number>>
}

const later = (one: Timestamp | undefined, other: Timestamp) => (one === undefined || one < other ? other : one)

function countsOf(events: readonly EventRow[]): Record<string, number> {
  const counts: Record<string, number> = { [eventCounter()]: events.length }
  for (const { type } of events) {
    const name = eventCounter(type)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/**
 * Signs a tenant's checkpoint. If the tenant is gone or its key no longer opens, the checkpoint stays unsigned, so that the other tenants
 * are still sealed.
 */
async function signed(
  { clock, sealer, log }: Deps,
  head: Omit<queries.CheckpointRow, 'signing_key_id' | 'signature' | 'signed_at'>,
  key: queries.SigningKeyRow | undefined,
): Promise<queries.CheckpointRow> {
  const unsigned = { ...head, signing_key_id: key?.id ?? ('' as SigningKeyId), signature: '', signed_at: clock.now() }
  if (key === undefined) return unsigned
  const checkpoint = {
    tenantId: head.tenant_id,
    sequence: head.sequence,
    hash: head.hash,
    signedAt: unsigned.signed_at,
  }
  try {
    return { ...unsigned, signature: await signCheckpoint(checkpoint, openSigningKey(sealer, key)) }
  } catch (err) {
    if (!(err instanceof SealError)) throw err
    log.error({ err, tenantId: head.tenant_id }, "cannot sign a checkpoint with the tenant's key")
    return unsigned
  }
}

async function chain(
  deps: Deps,
  tenantId: TenantId,
  events: readonly EventRow[],
  before: queries.CheckpointRow | undefined,
  key: queries.SigningKeyRow | undefined,
): Promise<Chained> {
  const seals: queries.SealRow[] = []
  let hash = before?.hash ?? chainStart
  let sequence = before?.sequence ?? 0
  let newest = before?.newest_created_at
  for (const [index, event] of events.entries()) {
    if (index > 0 && index % chainedAtOnce === 0) await ownTurn()
    sequence++
    hash = sealHash(hash, sequence, event)
    newest = later(newest, event.created_at)
    seals.push({ tenant_id: tenantId, sequence, event_position: event.position, event_id: event.id, hash })
  }
  if (newest === undefined) throw new Error('there is nothing to chain')
  const head = { tenant_id: tenantId, sequence, hash, newest_created_at: newest }
  return { tenantId, seals, counts: countsOf(events), checkpoint: await signed(deps, head, key) }
}

/** Chains the events of each tenant to those sealed before, in the order of the tenants' ids. */
async function chainEach(deps: Deps, events: readonly EventRow[]): Promise<Chained[]> {
  const byTenant = [...Map.groupBy(events, (event) => event.tenant_id)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const tenantIds = byTenant.map(([tenantId]) => tenantId)
  const checkpoints = await queries.selectCheckpoints(deps.db, tenantIds)
  const checkpointOf = new Map(checkpoints.map((each) => [each.tenant_id, each]))
  // A tenant may have several keys; the newest comes last and is used.
  const keyOf = new Map((await queries.selectSigningKeys(deps.db, tenantIds)).map((each) => [each.tenant_id, each]))
  const chained: Chained[] = []
  for (let start = 0; start < byTenant.length; start += signedAtOnce) {
    const group = byTenant.slice(start, start + signedAtOnce)
    const one = ([tenantId, own]: readonly [TenantId, readonly EventRow[]]) =>
      chain(deps, tenantId, own, checkpointOf.get(tenantId), keyOf.get(tenantId))
    chained.push(...(await Promise.all(group.map(one))))
  }
  return chained
}

export interface SealStep {
  readonly hasMore: boolean
  /** Returns how long the oldest of these events had waited. */
  readonly waitedMs: number
}

/** Seals the next events. */
export async function sealNext(deps: Deps): Promise<SealStep> {
  const { db } = deps
  const place = await readPlace(db, 'events.seals')
  const events = await readFeed(db, place, batch)
  await ownTurn()
  const [first] = events
  const last = events.at(-1)
  if (first === undefined || last === undefined) return { hasMore: false, waitedMs: 0 }
  const chained = await chainEach(deps, events)
  const ended = (): SealStep => ({
    hasMore: events.length === batch,
    waitedMs: deps.clock.nowMs() - toMs(first.created_at),
  })
  try {
    await db.transaction(async (tx) => {
      if (!(await movePlace(tx, 'events.seals', place, cursorOf(last)))) throw new PlaceMoved()
      const statements = [
        ...queries.insertSeals(chained.flatMap(({ seals }) => seals)),
        ...queries.upsertCheckpoints(chained.map(({ checkpoint }) => checkpoint)),
        ...addToCountersOfMany(tx, new Map(chained.map(({ tenantId, counts }) => [tenantId, counts]))),
      ]
      for (const statement of statements) await tx.run(statement)
    })
  } catch (error) {
    // Another node has sealed these events.
    if (!(error instanceof PlaceMoved)) throw error
    return ended()
  }
  for (const { type } of events) deps.meter.count('events', { type })
  return ended()
}

/** Returns when the oldest event that is not sealed yet was written, or undefined if all are sealed. */
export async function oldestUnsealed({ db }: Pick<Deps, 'db'>): Promise<Timestamp | undefined> {
  const [oldest] = await readFeed(db, await readPlace(db, 'events.seals'), 1)
  return oldest?.created_at
}

/** Returns the age of that event in seconds, or 0 if all are sealed. */
export async function unsealedSeconds(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const since = await oldestUnsealed(deps)
  return since === undefined ? 0 : Math.max(0, (deps.clock.nowMs() - toMs(since)) / 1000)
}

/** Seals all events, for the verify command and for tests. */
export async function sealAll(deps: Deps): Promise<void> {
  while ((await sealNext(deps)).hasMore);
}
