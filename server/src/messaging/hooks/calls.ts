// The record of calls, and a call with sample data.
import type { HookCall } from '@bailiwick/contract'
import { addMilliseconds } from '../../platform/clock.ts'
import { addToCounters, sumOfCounter } from '../../platform/db/counters.ts'
import { notFound } from '../../platform/http/api-error.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import { withoutClaim } from '../../platform/idempotency/claim.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { callHook } from './call.ts'
import { presentCall } from './present.ts'
import * as queries from './queries.ts'
import { callCounter } from './tables.ts'

const keptMs = 30 * 24 * 60 * 60 * 1000
const removedAtOnce = 1000

/** Records calls, which belong to one tenant. */
export async function recordCalls({ db }: Deps, tenantId: TenantId, rows: readonly queries.HookCallRow[]) {
  if (rows.length === 0) return
  const counts: Record<string, number> = {}
  for (const { hook_id: hookId } of rows) counts[callCounter(hookId)] = (counts[callCounter(hookId)] ?? 0) + 1
  await withoutClaim(() => db.write((context) => [queries.insertCalls(rows), addToCounters(context, tenantId, counts)]))
}

/** @throws ApiError not_found */
export async function testHook(deps: Deps, tenantId: TenantId, id: string): Promise<HookCall> {
  const hook = await queries.selectHook(deps.db, tenantId, id)
  if (hook === undefined) throw notFound()
  const user = { id: 'cmi7x9q3b2r5w8z1t4v7y0c3f', name: 'Ada Example', username: null, email: 'ada@example.com' }
  const where = { ip: null, userAgent: null, language: 'en' }
  const { row } = await callHook(deps, hook, { test: true, user, firstFactor: 'email_code', ...where })
  await recordCalls(deps, tenantId, [row])
  return presentCall(row)
}

/** @throws ApiError not_found */
export async function listHookCalls({ db }: Deps, tenantId: TenantId, hookId: string, query: PageQuery) {
  if ((await queries.selectHook(db, tenantId, hookId)) === undefined) throw notFound()
  const request = pageRequest(query)
  const counter = sumOfCounter(tenantId, callCounter(hookId))
  const { page, total } = await selectPageAndTotal(db, queries.callSource(tenantId, hookId), counter, request)
  return pageEnvelope(page, page.rows.map(presentCall), total, request.perPage)
}

/** Removes calls that are older than thirty days, a thousand at a time. @returns whether there are more. */
export async function removeOldCalls({ db, clock }: Deps): Promise<boolean> {
  const old = await queries.selectOldCalls(db, addMilliseconds(clock.now(), -keptMs), removedAtOnce)
  for (const [tenantId, own] of Map.groupBy(old, (row) => row.tenant_id)) {
    const byHook = Map.groupBy(own, (row) => row.hook_id)
    await db.transaction(async (tx) => {
      for (const [hookId, rows] of byHook) {
        const ids = rows.map(({ id }) => id)
        const removed = await tx.run(queries.deleteCalls(tenantId, ids))
        if (removed > 0) await tx.run(addToCounters(tx, tenantId, { [callCounter(hookId)]: -removed }))
      }
    })
  }
  return old.length === removedAtOnce
}
