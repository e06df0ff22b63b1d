// Walks the seals of one tenant's events and reports every difference from the sealed state.
import { SealError } from '../crypto/sealed.ts'
import { openSigningKey } from '../crypto/signing-keys.ts'
import type { Deps } from '../deps.ts'
import type { TenantId } from '../ids.ts'
import { type AnchorRow, findAnchor, isAnchorGenuine, startOfLog } from './anchor.ts'
import { isSignedBy, sealHash } from './chain.ts'
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
  /** The beginning of the log is not the one that the service has left when it removed old events. */
  | 'anchor'

export interface EventLogProblem {
  readonly kind: EventLogProblemKind
  readonly sequence: number | null
  readonly eventId: string | null
}

export interface EventLogReport {
  /** How many seals were checked. */
  readonly sealed: number
  /** How many events were removed from the beginning of the log because of their age; the check begins after them. */
  readonly removed: number
  /** The first hundred. If empty, the log is intact as far as it is sealed. */
  readonly problems: readonly EventLogProblem[]
}

/** What one part of the check has found. */
export interface PartReport {
  /** How many seals or events the part has checked. */
  readonly checked: number
  /** How many events were removed from the beginning of the log. */
  readonly removed: number
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

interface Part {
  readonly tenantId: TenantId
  readonly anchor: AnchorRow | undefined
  readonly findings: Findings
}

type Checked = Pick<PartReport, 'checked' | 'next'>

/** Reads some seals in order, each with the event that it names. */
async function checkSeals({ db }: Deps, { tenantId, anchor, findings }: Part, afterSeal: number): Promise<Checked> {
  const start = startOfLog(anchor)
  const after = Math.max(afterSeal, start.sequence)
  const [last] = after === start.sequence ? [start] : await queries.selectSeals(db, tenantId, after - 1, 1)
  let head = { sequence: after, hash: last?.hash ?? start.hash }
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
  return { checked: seals.length, next }
}

/** Checks that some of the events that the sealer has passed have a seal; at the end, that both ends of the log are those that were signed. */
async function checkEvents(
  deps: Deps,
  { tenantId, anchor, findings }: Part,
  { afterEvent, head }: { readonly afterEvent: string; readonly head: number },
): Promise<Checked> {
  const { db } = deps
  const place = await readPlace(db, 'events.seals')
  const rows = await queries.selectPassed(db, db.engine, tenantId, place, afterEvent, batch)
  // What has a seal from before the beginning was put back after its removal.
  const { sequence: removed } = startOfLog(anchor)
  for (const { id, sequence } of rows)
    if (sequence === null || sequence <= removed) findings.add('inserted', sequence, id)
  const last = rows.at(-1)
  if (last === undefined) {
    await checkCheckpoint(deps, tenantId, head, findings)
    if (anchor !== undefined && !isAnchorGenuine(deps.sealer, anchor)) findings.add('anchor', anchor.sequence, null)
  }
  return { checked: rows.length, next: last === undefined ? null : { afterEvent: last.created_at, head } }
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
export async function verifyPart(deps: Deps, tenantId: TenantId, start: PartStart): Promise<PartReport> {
  for (;;) {
    const anchor = await findAnchor(deps.db, tenantId)
    const part = { tenantId, anchor, findings: new Findings() }
    const checked =
      'afterSeal' in start ? await checkSeals(deps, part, start.afterSeal) : await checkEvents(deps, part, start)
    const { problems } = part.findings
    const { sequence: removed } = startOfLog(anchor)
    if (problems.length === 0) return { ...checked, problems, removed }
    // Old events that the service removes meanwhile look as if somebody had removed them; each removal moves the anchor.
    const { sequence: removedNow } = startOfLog(await findAnchor(deps.db, tenantId))
    if (removedNow === removed) return { ...checked, problems, removed }
  }
}

/**
 * Checks one tenant's sealed events; those of the last second or so are not sealed yet. It detects every change, removal, insertion and
 * reordering of sealed events by somebody who can write to the database but has no master key. Restoring an older checkpoint and removing
 * everything after it is detected only by comparing with a copy kept elsewhere.
 */
export async function verifyEventLog(deps: Deps, tenantId: TenantId): Promise<EventLogReport> {
  const problems: EventLogProblem[] = []
  let sealed = 0
  let removed = 0
  let start: PartStart | null = { afterSeal: 0 }
  while (start !== null) {
    const part: PartReport = await verifyPart(deps, tenantId, start)
    if ('afterSeal' in start) sealed += part.checked
    ;({ removed } = part)
    problems.push(...part.problems)
    start = part.next
    // Of a log with so many problems the rest is not read; whether its end is signed still is.
    if (problems.length >= problemsMax && start !== null && 'afterSeal' in start) start = null
  }
  return { sealed, removed, problems: problems.slice(0, problemsMax) }
}
