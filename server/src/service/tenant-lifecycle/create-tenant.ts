import { type CreateTenant, domainKey } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import { ConstraintError, type WriteContext } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { deployment } from '../../platform/db/tables.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { slugCandidates } from '../../platform/slug-candidates.ts'
import { findDomainOwner } from '../../tenancy/domains/domains.ts'
import { consoleTenantSetting, findConsoleTenantId, getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { NewTenant } from '../../tenancy/tenants/tenant-rows.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { newTenantStatements, prepareTenant } from './new-tenant.ts'
import { checkTenantLimit } from './tenant-limit.ts'

const isSlugTaken = (error: unknown) => error instanceof ConstraintError && error.constraint === 'tenants_slug_key'

/**
 * Creates a tenant completely, in one transaction.
 * @throws ApiError slug_taken; domain_taken if another tenant has verified the domain; tenant_limit_reached
 */
export async function createTenant(deps: Deps, input: CreateTenant, actor: Actor): Promise<TenantEntry> {
  const { db } = deps
  if (input.domain !== undefined) {
    if ((await findDomainOwner(db, domainKey(input.domain))) !== undefined) throw new ApiError('domain_taken')
  }
  const id = newId<'TenantId'>()
  const prepared = await prepareTenant(deps, id, input.environment)
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
      await write((context) => newTenantStatements(deps, context, tenant, prepared, actor, consoleTenantId))
      return await getTenant(deps, id)
    } catch (error) {
      if (input.slug !== undefined || !isSlugTaken(error)) throw error
    }
  }
  throw new ApiError('slug_taken')
}

const system = { type: 'system', id: null, ip: null, ua: null } as const

/** Creates the console's tenant if there is none; of several nodes that start at once, one does. */
export async function ensureConsoleTenant(deps: Deps): Promise<TenantId> {
  const { db, config } = deps
  const existing = await findConsoleTenantId(db)
  if (existing !== undefined) return existing
  const id = newId<'TenantId'>()
  const environment = config.env
  const prepared = await prepareTenant(deps, id, environment)
  const tenant = { id, kind: 'console', name: 'Console', slug: id, environment } as const
  try {
    await db.write((context) => [
      deployment.insert({ name: consoleTenantSetting, value: id }),
      ...newTenantStatements(deps, context, tenant, prepared, system, undefined),
    ])
    return id
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error
    return getConsoleTenantId(db)
  }
}
