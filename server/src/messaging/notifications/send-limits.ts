// The operator's limits on what a tenant may send through the deployment's own channel.
import type { TenantLimits, UpdateTenantLimits } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { lockTenant } from '../../tenancy/tenants/find-tenant.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { readSentToday, selectMessagesPerDay } from './send-quota.ts'
import { tenantLimits } from './tables.ts'

const setLimits = tenantLimits.upsert('messages_per_day', 'updated_at')

/** @throws ApiError not_found */
export async function getTenantLimits(deps: Deps, tenantId: TenantId): Promise<TenantLimits> {
  await getTenant(deps, tenantId)
  return {
    messagesPerDay: await selectMessagesPerDay(deps.db, tenantId),
    messagesPerDayDefault: deps.config.sending.perTenantPerDay,
    ...(await readSentToday(deps, tenantId)),
  }
}

/** @throws ApiError not_found */
export async function updateTenantLimits(
  deps: Deps,
  tenantId: TenantId,
  { messagesPerDay }: UpdateTenantLimits,
  actor: Actor,
): Promise<TenantLimits> {
  const { db, clock, personal } = deps
  await getTenant(deps, tenantId)
  await db.transaction(async (tx) => {
    await lockTenant(tx, tenantId)
    const before = await selectMessagesPerDay(tx, tenantId)
    await tx.run(
      messagesPerDay === null
        ? tenantLimits.delete(tenantId)
        : setLimits({ tenant_id: tenantId, messages_per_day: messagesPerDay, updated_at: clock.now() }),
    )
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant.limits_updated',
        actor,
        subjectId: tenantId,
        data: { before: { messagesPerDay: before }, after: { messagesPerDay } },
      }),
    )
  })
  return getTenantLimits(deps, tenantId)
}
