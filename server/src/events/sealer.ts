// Seals the event log in the background, so that whoever writes events waits for nothing: hash chains, checkpoints, and the
// counts of events that lists show.
import { type KeyObject, createPrivateKey } from 'node:crypto'
import type { Timestamp } from '../clock.ts'
import { SealError, type Sealer } from '../crypto/sealed.ts'
import { addToCounters } from '../db/counters.ts'
import type { Deps } from '../deps.ts'
import type { SigningKeyId, TenantId } from '../ids.ts'
import { chainStart, sealHash, signCheckpoint } from './chain.ts'
import { eventCounter } from './events.ts'
import { type EventRow, PlaceMoved, cursorOf, movePlace, readFeed, readPlace } from './feed.ts'
import * as queries from './seal-queries.ts'

const batch = 200

export const openSigningKey = (
  sealer: Sealer,
  row: { readonly tenant_id: string; readonly id: string; readonly sealed_private_pem: string },
): KeyObject =>
  createPrivateKey(sealer.open(row.sealed_private_pem, `signing_keys:${row.tenant_id}:${row.id}:private_pem`))

/** The events of one tenant in a batch, chained to what was sealed before. */
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

/** A tenant that is gone, or whose key no longer opens, is no reason not to seal the others: its checkpoint is unsigned. */
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
  for (const event of events) {
    sequence++
    hash = sealHash(hash, sequence, event)
    newest = later(newest, event.created_at)
    seals.push({ tenant_id: tenantId, sequence, event_position: event.position, event_id: event.id, hash })
  }
  if (newest === undefined) throw new Error('there is nothing to chain')
  const head = { tenant_id: tenantId, sequence, hash, newest_created_at: newest }
  return { tenantId, seals, counts: countsOf(events), checkpoint: await signed(deps, head, key) }
}

/**
 * Seals the next events.
 * @returns whether there are more.
 */
export async function sealNext(deps: Deps): Promise<boolean> {
  const { db } = deps
  const place = await readPlace(db, 'events.seals')
  const events = await readFeed(db, place, batch)
  const last = events.at(-1)
  if (last === undefined) return false
  const byTenant = Map.groupBy(events, (event) => event.tenant_id)
  const tenantIds = [...byTenant.keys()]
  const checkpoints = await queries.selectCheckpoints(db, tenantIds)
  const keys = await queries.selectSigningKeys(db, tenantIds)
  const chained = await Promise.all(
    [...byTenant].map(([tenantId, own]) =>
      chain(
        deps,
        tenantId,
        own,
        checkpoints.find((each) => each.tenant_id === tenantId),
        keys.findLast((each) => each.tenant_id === tenantId),
      ),
    ),
  )
  try {
    await db.transaction(async (tx) => {
      if (!(await movePlace(tx, 'events.seals', place, cursorOf(last)))) throw new PlaceMoved()
      await tx.run(queries.insertSeals(chained.flatMap(({ seals }) => seals)))
      for (const { tenantId, checkpoint, counts } of chained) {
        await tx.run(queries.upsertCheckpoint(checkpoint))
        await tx.run(addToCounters(tx, tenantId, counts))
      }
    })
  } catch (error) {
    // The other node has sealed these.
    if (!(error instanceof PlaceMoved)) throw error
  }
  return events.length === batch
}

/** Seals everything that is there, for the verify command and for tests. */
export async function sealAll(deps: Deps): Promise<void> {
  while (await sealNext(deps));
}
