// Walks the seals of one tenant's events and reports every difference from the sealed state.
import { SealError } from '../crypto/sealed.ts'
import { openSigningKey } from '../crypto/signing-keys.ts'
import type { Deps } from '../deps.ts'
import type { TenantId } from '../ids.ts'
import { chainStart, isSignedBy, sealHash } from './chain.ts'
import { readPlace } from './feed.ts'
import * as queries from './seal-queries.ts'

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

/** What one part of the check has found. */
export interface PartReport {
  /** How many seals or events the part has checked. */
  readonly checked: number
  readonly problems: readonly EventLogProblem[]
  /** Where the check goes on; null after the last part. */
  readonly next: PartStart | null
}

/** Where a part begins: after a seal, or after an event that was created at that time. */
export type PartStart = { readonly afterSeal: number } | { readonly afterEvent: string; readonly head: number }

class Findings {
  readonly problems: EventLogProblem[] = []

  add(kind: EventLogProblemKind, sequence: number | null, eventId: string | null) {
    if (!this.isFull) this.problems.push({ kind, sequence, eventId })
  }

  get isFull(): boolean {
    return this.problems.length >= problemsMax
  }
}

/** Reads some seals in order, each with the event that it names. */
async function checkSeals({ db }: Deps, tenantId: TenantId, after: number, findings: Findings): Promise<PartReport> {
  const [last] = after === 0 ? [] : await queries.selectSeals(db, tenantId, after - 1, 1)
  let head = { sequence: after, hash: last?.hash ?? chainStart }
  const seals = await queries.selectSeals(db, tenantId, after, batch)
  const positions = seals.map((seal) => seal.event_position)
  const events = positions.length === 0 ? [] : await queries.selectEventsAt(db, positions)
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
  const next = seals.length < batch ? { afterEvent: '', head: head.sequence } : { afterSeal: head.sequence }
  return { checked: seals.length, problems: findings.problems, next }
}

/** Checks that some of the events that the sealer has passed have a seal; at the end, that the newest seal is signed. */
async function checkEvents(
  deps: Deps,
  tenantId: TenantId,
  { afterEvent, head }: { readonly afterEvent: string; readonly head: number },
  findings: Findings,
): Promise<PartReport> {
  const { db } = deps
  const place = await readPlace(db, 'events.seals')
  const rows = await queries.selectPassed(db, db.engine, tenantId, place, afterEvent, batch)
  for (const { id, sequence } of rows) if (sequence === null) findings.add('inserted', null, id)
  const last = rows.at(-1)
  if (last === undefined) await checkCheckpoint(deps, tenantId, head, findings)
  const next = last === undefined ? null : { afterEvent: last.created_at, head }
  return { checked: rows.length, problems: findings.problems, next }
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

/** @param head the number of the newest seal that was checked; sealing meanwhile has moved the checkpoint forward, never back. */
async function checkCheckpoint(deps: Deps, tenantId: TenantId, head: number, findings: Findings) {
  const [checkpoint] = await queries.selectCheckpoints(deps.db, [tenantId])
  if (checkpoint === undefined || checkpoint.sequence < head) {
    if (head > 0) findings.add('checkpoint', head, null)
    return
  }
  const [sealed] = await queries.selectSeals(deps.db, tenantId, checkpoint.sequence - 1, 1)
  const isHead = sealed?.sequence === checkpoint.sequence && sealed.hash === checkpoint.hash
  if (!isHead || !(await isGenuine(deps, checkpoint))) findings.add('checkpoint', checkpoint.sequence, null)
}

/** Checks the next 500 seals of a tenant or, after the last seal, the next 500 events. */
export function verifyPart(deps: Deps, tenantId: TenantId, start: PartStart): Promise<PartReport> {
  const findings = new Findings()
  return 'afterSeal' in start
    ? checkSeals(deps, tenantId, start.afterSeal, findings)
    : checkEvents(deps, tenantId, start, findings)
}

/**
 * Checks one tenant's sealed events; those of the last second or so are not sealed yet. It detects every change, removal, insertion and
 * reordering of sealed events by somebody who can write to the database but has no master key. Restoring an older checkpoint and removing
 * everything after it is detected only by comparing with a copy kept elsewhere.
 */
export async function verifyEventLog(deps: Deps, tenantId: TenantId): Promise<EventLogReport> {
  const problems: EventLogProblem[] = []
  let sealed = 0
  let start: PartStart | null = { afterSeal: 0 }
  while (start !== null) {
    const part: PartReport = await verifyPart(deps, tenantId, start)
    if ('afterSeal' in start) sealed += part.checked
    problems.push(...part.problems)
    start = part.next
    // Of a log with so many problems the rest is not read; whether its end is signed still is.
    if (problems.length >= problemsMax && start !== null && 'afterSeal' in start) start = null
  }
  return { sealed, problems: problems.slice(0, problemsMax) }
}
