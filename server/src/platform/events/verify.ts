// Walks the seals of one tenant's events and reports every difference from the sealed state.
import { SealError } from '../crypto/sealed.ts'
import type { Deps } from '../deps.ts'
import type { TenantId } from '../ids.ts'
import { chainStart, isSignedBy, sealHash } from './chain.ts'
import { readPlace } from './feed.ts'
import * as queries from './seal-queries.ts'
import { openSigningKey } from '../crypto/signing-keys.ts'

const batch = 500
const problemsMax = 100

export type EventLogProblemKind =
  /** The event differs from the sealed one, or was not sealed here. */
  | 'changed'
  /** The sealed event is missing. */
  | 'removed'
  /** The sealer has passed this event without sealing it. */
  | 'inserted'
  /** The seals are not consecutive. */
  | 'seal_missing'
  /** The newest seal differs from the one that the tenant's key signed. */
  | 'checkpoint'

export interface EventLogProblem {
  readonly kind: EventLogProblemKind
  readonly sequence: number | null
  readonly eventId: string | null
}

export interface EventLogReport {
  /** How many seals were checked. */
  readonly sealed: number
  /** The first hundred. If empty, the log is intact as far as it is sealed. */
  readonly problems: readonly EventLogProblem[]
}

class Findings {
  readonly problems: EventLogProblem[] = []

  add(kind: EventLogProblemKind, sequence: number | null, eventId: string | null) {
    if (!this.isFull) this.problems.push({ kind, sequence, eventId })
  }

  get isFull(): boolean {
    return this.problems.length >= problemsMax
  }
}

interface Head {
  readonly sequence: number
  readonly hash: string
}

/** Reads all seals in order, each with the event that it names. */
async function walkSeals({ db }: Deps, tenantId: TenantId, findings: Findings): Promise<Head> {
  let head: Head = { sequence: 0, hash: chainStart }
  for (;;) {
    const seals = await queries.selectSeals(db, tenantId, head.sequence, batch)
    if (seals.length === 0 || findings.isFull) return head
    const events = await queries.selectEventsAt(
      db,
      seals.map((seal) => seal.event_position),
    )
    const byPosition = new Map(events.map((event) => [event.position, event]))
    for (const seal of seals) {
      if (seal.sequence !== head.sequence + 1) findings.add('seal_missing', head.sequence + 1, null)
      const event = byPosition.get(seal.event_position)
      const isOwn = event?.tenant_id === tenantId
      if (event === undefined || !isOwn) findings.add('removed', seal.sequence, seal.event_id)
      else if (sealHash(head.hash, seal.sequence, event) !== seal.hash) {
        findings.add('changed', seal.sequence, seal.event_id)
      }
      // Continues with the stored hash, so that one change is reported once and not for every event after it.
      head = { sequence: seal.sequence, hash: seal.hash }
    }
  }
}

/** Checks that every event that the sealer has passed has a seal. */
async function walkEvents({ db }: Deps, tenantId: TenantId, findings: Findings) {
  const place = await readPlace(db, 'events.seals')
  let after = ''
  for (;;) {
    const rows = await queries.selectPassed(db, db.engine, tenantId, place, after, batch)
    const last = rows.at(-1)
    if (last === undefined || findings.isFull) return
    for (const { id, sequence } of rows) if (sequence === null) findings.add('inserted', null, id)
    after = last.created_at
  }
}

async function isGenuine({ db, sealer }: Deps, row: queries.CheckpointRow): Promise<boolean> {
  const key = await queries.selectSigningKeyById(db, row.tenant_id, row.signing_key_id)
  if (key === undefined) return false
  const checkpoint = { tenantId: row.tenant_id, sequence: row.sequence, hash: row.hash, signedAt: row.signed_at }
  try {
    return isSignedBy(checkpoint, row.signature, openSigningKey(sealer, key))
  } catch (error) {
    if (error instanceof SealError) return false
    throw error
  }
}

/**
 * Checks one tenant's sealed events; those of the last second or so are not sealed yet. It detects every change, removal, insertion and
 * reordering of sealed events by somebody who can write to the database but has no master key. Restoring an older checkpoint and removing
 * everything after it is detected only by comparing with a copy kept elsewhere.
 */
export async function verifyEventLog(deps: Deps, tenantId: TenantId): Promise<EventLogReport> {
  const findings = new Findings()
  const head = await walkSeals(deps, tenantId, findings)
  await walkEvents(deps, tenantId, findings)
  // Read last, because sealing meanwhile has moved it forward, never back.
  const [checkpoint] = await queries.selectCheckpoints(deps.db, [tenantId])
  if (checkpoint === undefined || checkpoint.sequence < head.sequence) {
    if (head.sequence > 0) findings.add('checkpoint', head.sequence, null)
  } else {
    const [sealed] = await queries.selectSeals(deps.db, tenantId, checkpoint.sequence - 1, 1)
    const isHead = sealed?.sequence === checkpoint.sequence && sealed.hash === checkpoint.hash
    if (!isHead || !(await isGenuine(deps, checkpoint))) findings.add('checkpoint', checkpoint.sequence, null)
  }
  return { sealed: head.sequence, problems: findings.problems }
}
