import type { Brand } from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { Deps } from '../deps.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import * as queries from './queries.ts'
import type { TenantEntry } from './tenant-directory.ts'

/** @throws ApiError not_found */
export async function getTenant({ tenants }: Deps, tenantId: TenantId): Promise<TenantEntry> {
  const entry = await tenants.byId(tenantId)
  if (entry === undefined) throw notFound()
  return entry
}

/** Whether a console user has created that many tenants which nobody has deleted. */
export const hasCreatedTenants = async (db: Reader, creatorId: string, count: number): Promise<boolean> =>
  (await queries.selectCreatedTenants(db, creatorId, count)).length >= count

/**
 * Replaces the whole brand.
 * @throws ApiError not_found
 */
export async function replaceBrand(deps: Deps, tenantId: TenantId, brand: Brand, actor: Actor): Promise<TenantEntry> {
  const { db, clock, personal, tenants } = deps
  await db.transaction(async (tx) => {
    const before = await queries.selectTenantForUpdate(tx, tenantId)
    if (before === undefined) throw notFound()
    await tx.run(queries.updateTenantBrand(tenantId, JSON.stringify(brand), clock.now()))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant.brand_updated',
        actor,
        subject: { type: 'tenant', id: tenantId },
        data: { before: JSON.parse(before.brand), after: brand },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
  })
  return getTenant(deps, tenantId)
}
