// Everything that a new tenant has from the beginning, written in the one transaction that creates it. Each feature says what it
// gives.
import type { Environment, TenantAuthSettings } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { WriteContext } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { firstVersion } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { insertSigningKey, newSigningKey } from '../../tenancy/signing-keys/signing-keys.ts'
import { type NewTenant, newTenantKeys, tenantRows } from '../../tenancy/tenants/tenant-rows.ts'
import { features } from '../features.ts'

/** Makes the keys before the transaction, because they take time. */
export async function prepareTenant({ sealer }: Pick<Deps, 'sealer'>, tenantId: TenantId, environment: Environment) {
  const signing = await newSigningKey(sealer, tenantId)
  return { keys: newTenantKeys(sealer, tenantId, environment), signing }
}

type PreparedTenant = Awaited<ReturnType<typeof prepareTenant>>

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
  const founding = { tenantId: id, domain, actor, consoleTenantId }
  const defaults = features.flatMap(({ newTenant }) => newTenant?.(deps, founding) ?? [])
  const counts: Readonly<Record<string, number>> = Object.assign({}, ...defaults.map((each) => each.counts))
  const settings: Partial<TenantAuthSettings> = Object.assign({}, ...defaults.map((each) => each.settings))
  return [
    ...tenantRows(tenant, keys, actor, at),
    insertSigningKey({ ...signing, created_at: at, updated_at: at }),
    ...firstVersion(id, settings, actor, at).statements,
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
