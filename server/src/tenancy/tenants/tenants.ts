// Creating and changing tenants.
import { type Brand, type CreateTenant, domainKey } from '@bailiwick/contract'
import { invalidateTenant, invalidateUser } from '../../platform/cache/invalidation.ts'
import { ConstraintError, type WriteContext } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import type { Deps } from '../../platform/deps.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { slugCandidates } from '../../platform/slug-candidates.ts'
import { type NewTenant, birthStatements, prepareBirth } from './birth.ts'
import { findConsoleTenantId } from './console-tenant.ts'
import * as queries from './queries.ts'
import type { TenantEntry } from './tenant-directory.ts'
import { checkTenantLimit } from './tenant-limit.ts'

const isSlugTaken = (error: unknown) => error instanceof ConstraintError && error.constraint === 'tenants_slug_key'

/**
 * Creates a tenant, whole and in one transaction.
 * @throws ApiError slug_taken; domain_taken when another tenant has verified the domain; tenant_limit_reached
 */
export async function createTenant(deps: Deps, input: CreateTenant, actor: Actor): Promise<TenantEntry> {
  const { db } = deps
  if (input.domain !== undefined) {
    const owner = await queries.selectVerifiedDomainOwner(db, domainKey(input.domain))
    if (owner !== undefined) throw new ApiError('domain_taken')
  }
  const id = newId<'TenantId'>()
  const prepared = await prepareBirth(deps, id, input.environment)
  const consoleTenantId = actor.type === 'console_user' ? await findConsoleTenantId(db) : undefined
  const write = async (build: (context: WriteContext) => readonly Statement[]) => {
    if (actor.type !== 'console_user' || consoleTenantId === undefined) return db.write(build)
    return db.transaction(async (tx) => {
      await checkTenantLimit(deps, tx, consoleTenantId, actor.id ?? '')
      await tx.runAll(build(tx))
      await invalidateUser(tx, deps.sessions, consoleTenantId, actor.id as UserId)
    })
  }
  for (const slug of slugCandidates(input, id)) {
    const tenant: NewTenant = { ...input, id, kind: 'tenant', slug }
    try {
      await write((context) => birthStatements(deps, context, tenant, prepared, actor, consoleTenantId))
      return await getTenant(deps, id)
    } catch (error) {
      if (input.slug !== undefined || !isSlugTaken(error)) throw error
    }
  }
  throw new ApiError('slug_taken')
}

/** @throws ApiError not_found */
export async function getTenant({ tenants }: Deps, tenantId: TenantId): Promise<TenantEntry> {
  const entry = await tenants.byId(tenantId)
  if (entry === undefined) throw notFound()
  return entry
}

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
