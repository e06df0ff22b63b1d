// What the operator lets a tenant send through the deployment's own channel: how much, and whether in its own words.
import type { TenantLimits, UpdateTenantLimits } from '@bailiwick/contract'
import type { Reader } from '../../../platform/db/database.ts'
import { eventStatement } from '../../../platform/events/append.ts'
import type { Actor } from '../../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { lockTenant } from '../../../tenancy/tenants/find-tenant.ts'
import { getTenant } from '../../../tenancy/tenants/tenants.ts'
import type { Deps } from '../../deps.ts'
import { isTrusted } from '../composing/trusted-wording.ts'
import { readSentToday, selectMessagesPerDay } from '../messages/send-quota.ts'
import { tenantLimits, trustedTenants } from '../tables.ts'

const setLimits = tenantLimits.upsert('messages_per_day', 'updated_at')

const readDecisions = async (db: Reader, tenantId: TenantId) => ({
  messagesPerDay: await selectMessagesPerDay(db, tenantId),
  trusted: await isTrusted(db, tenantId),
})

/** @throws ApiError not_found */
export async function getTenantLimits(deps: Deps, tenantId: TenantId): Promise<TenantLimits> {
  await getTenant(deps, tenantId)
  return {
    ...(await readDecisions(deps.db, tenantId)),
    messagesPerDayDefault: deps.config.sending.perTenantPerDay,
    ...(await readSentToday(deps, tenantId)),
  }
}

/**
 * Changes what is named.
 * @throws ApiError not_found
 */
export async function updateTenantLimits(
  deps: Deps,
  tenantId: TenantId,
  input: UpdateTenantLimits,
  actor: Actor,
): Promise<TenantLimits> {
  const { db, clock, personal } = deps
  await getTenant(deps, tenantId)
  await db.transaction(async (tx) => {
    await lockTenant(tx, tenantId)
    const before = await readDecisions(tx, tenantId)
    const after = { ...before, ...input }
    const { messagesPerDay, trusted } = after
    const at = clock.now()
    await tx.run(
      messagesPerDay === null
        ? tenantLimits.delete(tenantId)
        : setLimits({ tenant_id: tenantId, messages_per_day: messagesPerDay, updated_at: at }),
    )
    if (trusted !== before.trusted) {
      await tx.run(
        trusted ? trustedTenants.insert({ tenant_id: tenantId, created_at: at }) : trustedTenants.delete(tenantId),
      )
    }
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant.limits_updated',
        actor,
        subjectId: tenantId,
        data: { before, after },
      }),
    )
  })
  return getTenantLimits(deps, tenantId)
}
