// Calls that a developer's machine answers instead of the address of the hook: only in tenants of the environment development, while
// `bailiwick hooks listen` is connected. The database carries them, so that the listener can be connected to another node.
import { setTimeout as sleep } from 'node:timers/promises'
import type { HookListenerAnswer, HookListenerCall } from '@bailiwick/contract'
import { type Timestamp, addMilliseconds, machineTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { removeExpired } from '../../platform/db/remove-expired.ts'
import { sql } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { withoutClaim } from '../../platform/idempotency/claim.ts'
import type { HookCallId, TenantId } from '../../platform/ids.ts'
import { EgressError, type EgressResponse } from '../../platform/net/egress.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { answerBytesMax } from './answer.ts'
import type { HookRow } from './queries.ts'
import { hookListeners, hookRelays } from './tables.ts'

const answerPollMs = 25
const callPollMs = 50
/** How long calls go to a listener after it has last asked, so that none is lost between two of its requests. */
const graceMs = 5_000
const callsAtOnce = 10
const listenersOfTenantMax = 3
const retryAfterSeconds = 5

/** Whether a developer's machine answers the calls of a tenant at the moment. */
export async function isRelayed({ db, clock, tenants }: Deps, tenantId: TenantId): Promise<boolean> {
  const tenant = await tenants.byId(tenantId)
  if (tenant?.row.environment !== 'development') return false
  const listener = await hookListeners.byKey(db, tenantId)
  return listener !== undefined && listener.listening_until > machineTime(clock)
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

async function waitForAnswer({ db, sealer }: Deps, key: { tenant_id: TenantId; id: HookCallId }, timeoutMs: number) {
  const until = performance.now() + timeoutMs
  while (performance.now() < until) {
    const row = await hookRelays.byKey(db, key.tenant_id, key.id)
    const sealed = row?.sealed_answer ?? null
    if (sealed !== null) {
      return JSON.parse(sealer.open(sealed, hookRelays.place('sealed_answer', key))) as HookListenerAnswer
    }
    await sleep(answerPollMs)
  }
  throw new EgressError('timed_out')
}

/**
 * Lets the listener answer a call, and returns its answer as if the hook's address had given it.
 * @throws EgressError timed_out
 */
export async function relayCall(deps: Deps, hook: HookRow, id: HookCallId, call: Sent): Promise<EgressResponse> {
  const { db, clock, sealer } = deps
  const key = { tenant_id: hook.tenant_id, id }
  const row = {
    ...key,
    hook_id: hook.id,
    point: hook.point,
    timeout_ms: hook.timeout_ms,
    sealed_call: sealer.seal(JSON.stringify(call), hookRelays.place('sealed_call', key)),
    expires_at: addMilliseconds(machineTime(clock), hook.timeout_ms),
  }
  await withoutClaim(() =>
    db.write(() => [hookRelays.insert({ ...row, created_at: clock.next(), updated_at: clock.now() })]),
  )
  try {
    const { status, headers, body } = await waitForAnswer(deps, key, hook.timeout_ms)
    const bytes = Buffer.from(body)
    return { status, headers, body: bytes.subarray(0, answerBytesMax), isTruncated: bytes.length > answerBytesMax }
  } finally {
    await withoutClaim(() => db.write(() => [hookRelays.delete(hook.tenant_id, id)]))
  }
}

/** @throws ApiError not_found; forbidden for a tenant that is not for development. */
async function assertDevelopment(deps: Deps, tenantId: TenantId) {
  const { row } = await getTenant(deps, tenantId)
  if (row.environment === 'development') return
  const detail = 'Calls of hooks can be answered by a developer only in a tenant whose environment is development.'
  throw new ApiError('forbidden', { detail })
}

const setUntil = hookListeners.upsert('listening_until')

const listenUntil = ({ db }: Deps, tenantId: TenantId, until: Timestamp) =>
  db.write(() => [setUntil({ tenant_id: tenantId, listening_until: until })])

/** Takes calls that nobody has taken: each goes to one listener. */
async function takeCalls({ clock, sealer }: Deps, tx: Transaction, tenantId: TenantId): Promise<HookListenerCall[]> {
  const waiting = await hookRelays.all(
    tx,
  )`tenant_id = ${tenantId} AND is_taken = 0 AND expires_at > ${machineTime(clock)}
    ORDER BY created_at LIMIT ${callsAtOnce}`
  const taken: HookListenerCall[] = []
  for (const row of waiting) {
    const mine = await tx.run(sql`UPDATE hook_relays SET is_taken = 1 WHERE tenant_id = ${tenantId} AND id = ${row.id}
      AND is_taken = 0`)
    if (mine === 0) continue
    const call = JSON.parse(sealer.open(row.sealed_call, hookRelays.place('sealed_call', row))) as Sent
    taken.push({ id: row.id, hookId: row.hook_id, point: row.point, timeoutMs: row.timeout_ms, ...call })
  }
  return taken
}

/** How many listeners wait at this node, by tenant. */
const waitingListeners = new Map<TenantId, number>()

async function inPlace<T>(tenantId: TenantId, work: () => Promise<T>): Promise<T> {
  const others = waitingListeners.get(tenantId) ?? 0
  if (others >= listenersOfTenantMax) throw new ApiError('too_many_streams', { retryAfterSeconds })
  waitingListeners.set(tenantId, others + 1)
  try {
    return await work()
  } finally {
    const left = (waitingListeners.get(tenantId) ?? 1) - 1
    if (left === 0) waitingListeners.delete(tenantId)
    else waitingListeners.set(tenantId, left)
  }
}

interface Listening {
  /** How long to wait for a call; 0 ends the listening. */
  readonly waitSeconds: number
  /** Aborted when the listener hangs up. */
  readonly signal: AbortSignal
}

/**
 * Returns the calls that wait for a developer's machine, as soon as there is one.
 * @throws ApiError not_found, forbidden, too_many_streams
 */
export async function receiveCalls(deps: Deps, tenantId: TenantId, { waitSeconds, signal }: Listening) {
  await assertDevelopment(deps, tenantId)
  const { clock, db } = deps
  if (waitSeconds === 0) {
    await listenUntil(deps, tenantId, machineTime(clock))
    return { calls: [] }
  }
  return inPlace(tenantId, async () => {
    const waitMs = waitSeconds * 1000
    await listenUntil(deps, tenantId, addMilliseconds(machineTime(clock), waitMs + graceMs))
    const until = performance.now() + waitMs
    while (!signal.aborted && performance.now() < until) {
      const calls = await db.transaction((tx) => takeCalls(deps, tx, tenantId))
      if (calls.length > 0) return { calls }
      await sleep(callPollMs)
    }
    return { calls: [] }
  })
}

/**
 * Takes the answer of a developer's machine to a call.
 * @returns whether the call still waited for it.
 */
export async function answerCall(deps: Deps, tenantId: TenantId, id: string, answer: HookListenerAnswer) {
  await assertDevelopment(deps, tenantId)
  const { db, sealer, clock } = deps
  const key = { tenant_id: tenantId, id: id as HookCallId }
  const sealed = sealer.seal(JSON.stringify(answer), hookRelays.place('sealed_answer', key))
  const count = await db.write(() => [
    sql`UPDATE hook_relays SET sealed_answer = ${sealed}, updated_at = ${clock.now()}
      WHERE tenant_id = ${tenantId} AND id = ${id} AND is_taken = 1 AND sealed_answer IS NULL`,
  ])
  return { accepted: count === 1 }
}

/** Removes calls that nobody waits for, as after a crash. */
export const removeOldRelays = ({ db, clock }: Deps) =>
  removeExpired(db, [
    {
      table: 'hook_relays',
      key: ['tenant_id', 'id'],
      column: 'expires_at',
      before: addMilliseconds(machineTime(clock), -60_000),
    },
  ])
