// The clock of a tenant in test mode. It runs as fast as the machine's, so many seconds ahead.
import type { MoveTenantClock, TenantClock } from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addMilliseconds, atMachineTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { invalid } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { hastenTenant } from '../../platform/jobs/retry.ts'
import type { Deps } from '../deps.ts'
import { lockTenant } from '../tenants/find-tenant.ts'
import { getTenant } from '../tenants/tenants.ts'
import { assertTestMode } from './test-mode.ts'

const present = ({ clock }: Deps, aheadSeconds: number): TenantClock => ({
  now: addMilliseconds(
    atMachineTime(() => clock.now()),
    aheadSeconds * 1000,
  ),
  aheadSeconds,
})

/** @throws ApiError not_found, test_mode_unavailable */
export async function readClock(deps: Deps, tenantId: TenantId): Promise<TenantClock> {
  const { row } = await getTenant(deps, tenantId)
  assertTestMode(deps.config, row)
  return present(deps, row.clock_ahead_seconds)
}

/** Sets the clock. Work that waited for its time is done now if the time may have come; its handler finds out. */
async function setClock(deps: Deps, tx: Transaction, tenantId: TenantId, from: number, to: number, actor: Actor) {
  const { clock, personal, tenants } = deps
  await tx.run(sql`UPDATE tenants SET clock_ahead_seconds = ${to} WHERE id = ${tenantId}`)
  const now = atMachineTime(() => clock.now())
  await hastenTenant(tx, tenantId, now, addMilliseconds(now, to * 1000))
  const data = { before: { aheadSeconds: from }, after: { aheadSeconds: to } }
  await tx.run(
    eventStatement(clock, personal, { tenantId, type: 'tenant.clock_moved', actor, subjectId: tenantId, data }),
  )
  await invalidateTenant(tx, tenants, tenantId)
}

/** @throws ApiError not_found, test_mode_unavailable; validation_failed if the clock would go back. */
export async function moveClock(
  deps: Deps,
  tenantId: TenantId,
  { aheadSeconds }: MoveTenantClock,
  actor: Actor,
): Promise<TenantClock> {
  await deps.db.transaction(async (tx) => {
    const row = await lockTenant(tx, tenantId)
    assertTestMode(deps.config, row)
    const before = row.clock_ahead_seconds
    if (aheadSeconds < before)
      throw invalid('/aheadSeconds', 'too_small', `must be at least ${before}: the clock only goes forward`)
    if (aheadSeconds > before) await setClock(deps, tx, tenantId, before, aheadSeconds, actor)
  })
  return present(deps, aheadSeconds)
}

/** @throws ApiError not_found, test_mode_unavailable */
export async function resetClock(deps: Deps, tenantId: TenantId, actor: Actor): Promise<TenantClock> {
  await deps.db.transaction(async (tx) => {
    const row = await lockTenant(tx, tenantId)
    assertTestMode(deps.config, row)
    if (row.clock_ahead_seconds !== 0) await setClock(deps, tx, tenantId, row.clock_ahead_seconds, 0, actor)
  })
  return present(deps, 0)
}
