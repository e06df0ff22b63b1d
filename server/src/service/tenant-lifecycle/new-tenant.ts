// Everything that a new tenant has from the beginning, written in the one transaction that creates it. Each feature declares what it
// contributes.
import type { Environment } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { foundingMember } from '../../identity/tenant-members/tenant-members.ts'
import { defaultTransformations } from '../../media/transformations/default-transformations.ts'
import { defaultTemplates } from '../../messaging/notifications/default-templates.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { WriteContext } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/principal.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { firstVersion } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { firstDomain } from '../../tenancy/domains/domains.ts'
import { defaultRoles } from '../../tenancy/roles/default-roles.ts'
import { insertSigningKey, newSigningKey } from '../../tenancy/signing-keys/signing-keys.ts'
import { type NewTenant, newTenantKeys, tenantRows } from '../../tenancy/tenants/tenant-rows.ts'

/** Makes the keys before the transaction, because they take time. */
export async function prepareTenant({ sealer }: Pick<Deps, 'sealer'>, tenantId: TenantId, environment: Environment) {
  const signing = await newSigningKey(sealer, tenantId)
  return { keys: newTenantKeys(sealer, tenantId, environment), signing }
}

type PreparedTenant = Awaited<ReturnType<typeof prepareTenant>>

/** The first member of a new tenant: the console user who creates it. Other creators do not become members. */
function foundersOf(deps: Deps, tenantId: TenantId, actor: Actor, consoleTenantId: TenantId | undefined) {
  if (actor.type !== 'console_user' || actor.id === null || consoleTenantId === undefined) return []
  return [foundingMember(deps, tenantId, consoleTenantId, actor.id as UserId)]
}

/** Returns every row of a new tenant, for one all-or-nothing write. */
export function newTenantStatements(
  deps: Deps,
  context: WriteContext,
  tenant: NewTenant,
  { keys, signing }: PreparedTenant,
  actor: Actor,
  consoleTenantId: TenantId | undefined,
): Statement[] {
  const { clock, personal } = deps
  const { id, domain } = tenant
  const at = clock.next()
  const templates = defaultTemplates(deps, id)
  const defaults = [
    firstVersion(id, templates.settings, actor, at),
    defaultRoles(deps, id),
    defaultTransformations(deps, id),
    templates,
    ...(domain === undefined ? [] : [firstDomain(deps, id, domain)]),
    ...foundersOf(deps, id, actor, consoleTenantId),
  ]
  const counts: Readonly<Record<string, number>> = Object.assign({}, ...defaults.map((each) => each.counts))
  return [
    ...tenantRows(tenant, keys, actor, at),
    insertSigningKey({ ...signing, created_at: at, updated_at: at }),
    ...defaults.flatMap(({ statements }) => statements),
    addToCounters(context, id, counts),
    eventStatement(clock, personal, {
      tenantId: id,
      type: 'tenant.created',
      actor,
      subjectId: id,
      data: { name: tenant.name, slug: tenant.slug, environment: tenant.environment, domain: domain ?? null },
    }),
  ]
}
