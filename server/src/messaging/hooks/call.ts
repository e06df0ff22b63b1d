// One call of a hook. Every tenant has turns of its own, so a server that never answers holds up nobody else; after 20 failures in a row a
// hook is not called for half a minute.
import type { HookCallResult } from '@bailiwick/contract'
import { machineMs } from '../../platform/clock.ts'
import { type HookCallId, type HookId, newId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { EgressError } from '../../platform/net/egress.ts'
import { TooManyWaiting, createTurns } from '../../platform/turns/turns.ts'
import type { Deps } from '../deps.ts'
import { webhookHeaders } from '../webhooks/secret.ts'
import { type HookAnswer, HookAnswerError, answerBytesMax, readAnswer } from './answer.ts'
import type { HookCallRow, HookRow } from './queries.ts'
import { isRelayed, relayCall } from './relay.ts'
import { hooks } from './tables.ts'

export const callsOfTenantMax = 50
const failuresMax = 20
const pauseMs = 30_000

// The places of all tenants bound the node's memory and open connections.
const inTurn = createTurns({
  atOnceMax: 20 * callsOfTenantMax,
  atOnceOfOwnerMax: callsOfTenantMax,
  waitingMax: 20 * callsOfTenantMax,
  waitingOfOwnerMax: callsOfTenantMax,
})

/** The failures in a row of the hooks that failed last, and until when they are not called. */
const failing = new Map<HookId, { readonly count: number; readonly pausedUntilMs: number }>()
const failingMax = 10_000

function recordResult(id: HookId, isFailure: boolean, nowMs: number): void {
  const count = (failing.get(id)?.count ?? 0) + 1
  failing.delete(id)
  if (!isFailure) return
  failing.set(id, { count, pausedUntilMs: count >= failuresMax ? nowMs + pauseMs : 0 })
  for (const oldest of failing.keys()) {
    if (failing.size <= failingMax) return
    failing.delete(oldest)
  }
}

function openSecrets({ sealer, clock }: Deps, row: HookRow): string[] {
  const secrets = [sealer.open(row.sealed_secret, hooks.place('sealed_secret', row))]
  const { sealed_previous_secret: previous, previous_secret_until: until } = row
  if (previous !== null && until !== null && clock.now() < until)
    secrets.push(sealer.open(previous, hooks.place('sealed_previous_secret', row)))
  return secrets
}

/** Passwords leave the service only for a hook that is to receive them. */
function withoutPassword(data: object): object {
  const { password: _password, ...rest } = data as { readonly password?: unknown }
  return rest
}

async function ask(deps: Deps, hook: HookRow, id: HookCallId, data: object): Promise<HookAnswer> {
  const { clock, egress } = deps
  const secrets = openSecrets(deps, hook)
  const sent = hook.receives_passwords === 1 ? data : withoutPassword(data)
  const body = JSON.stringify({ type: hook.point, timestamp: clock.now(), data: sent })
  const signed = webhookHeaders(secrets, id, Math.floor(machineMs(clock) / 1000), body)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Bailiwick-Hooks/1', ...signed }
  const answer = (await isRelayed(deps, hook.tenant_id))
    ? await relayCall(deps, hook, id, { headers, body })
    : await egress.request(hook.url, {
        tenantId: hook.tenant_id,
        method: 'POST',
        headers,
        body,
        timeoutMs: hook.timeout_ms,
        responseBytesMax: answerBytesMax,
        isKeptAlive: true,
      })
  const roleIds = fromJson(hook.role_ids)
  return readAnswer(answer, { id, secrets, nowMs: machineMs(clock), point: hook.point, roleIds })
}

export interface Called {
  readonly row: HookCallRow
  /** Undefined without a valid answer. */
  readonly answer: HookAnswer | undefined
}

/** Calls the hook, unless it is paused. It never throws for what the tenant's server does. */
export async function callHook(deps: Deps, hook: HookRow, data: object): Promise<Called> {
  const { clock } = deps
  const id = newId<'HookCallId'>()
  const startedMs = clock.nowMs()
  const called = (result: HookCallResult, error: string | null, answer?: HookAnswer): Called => {
    deps.meter.count('hook_calls', { point: hook.point, result })
    const at = clock.next()
    const facts = { tenant_id: hook.tenant_id, id, hook_id: hook.id, created_at: at, updated_at: at }
    return { row: { ...facts, result, error, duration_ms: Math.max(0, clock.nowMs() - startedMs) }, answer }
  }
  if ((failing.get(hook.id)?.pausedUntilMs ?? 0) > startedMs)
    return called('skipped', `The last ${failuresMax} calls failed.`)
  try {
    const answer = await inTurn(hook.tenant_id, () => ask(deps, hook, id, data))
    recordResult(hook.id, false, clock.nowMs())
    return called(answer.decision, null, answer)
  } catch (error) {
    if (error instanceof TooManyWaiting) return called('failed', 'Too many calls of this tenant were waiting.')
    if (!(error instanceof EgressError) && !(error instanceof HookAnswerError)) throw error
    recordResult(hook.id, true, clock.nowMs())
    return called('failed', error.message)
  }
}
