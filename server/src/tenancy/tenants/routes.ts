import { endpoints, slugKey } from '@bailiwick/contract'
import { Content, Serialized, json } from '../../platform/http/answer.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Call } from '../../platform/http/call.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { whenReady } from '../../platform/maybe-promise.ts'
import type { Deps } from '../deps.ts'
import { getBilling, updateBilling } from './billing.ts'
import { type EnvScope, envFile, tenantEnv } from './env.ts'
import { deleteTenant } from './lifecycle.ts'
import { listTenantPage, streamTenants } from './list.ts'
import { presentBrand, presentTenant } from './present.ts'
import { graceSecondsDefault, rotateSecretKey } from './secret-key.ts'
import type { TenantEntry } from './tenant-entry.ts'
import { getTenant } from './tenants.ts'
import { brandVersions, replaceBrand } from './versions/brand.ts'
import { diffVersions, listVersions, restoreVersion } from './versions/versions.ts'

const nothing = new Serialized('null')

type TenantCall =
  | Call<typeof endpoints.getTenant>
  | Call<typeof endpoints.getTenantByPublicKey>
  | Call<typeof endpoints.getTenantBySlug>

/** Returns the record, from memory if it was made before. */
function record(call: TenantCall, entry: TenantEntry): Serialized {
  entry.record ??= new Serialized(call.serialize(presentTenant(entry)))
  return entry.record
}

/** For look-ups that answer null: a tenant that the caller may not see counts as missing. */
const recordOrNull = (call: TenantCall, entry: TenantEntry | undefined): Serialized =>
  call.enterFound(entry?.row.id) && entry !== undefined ? record(call, entry) : nothing

export function tenantRoutes(management: Management, deps: Deps) {
  const { handle } = management
  const { tenants } = deps

  handle(endpoints.listTenants, async ({ query, principal, reply }) => {
    if (query.cursor === undefined && query.perPage === undefined)
      return new Content(json, streamTenants(deps, principal, query))
    const page = await listTenantPage(deps, principal, query)
    const links = [linkTo(deps, query, page.next, 'next'), linkTo(deps, query, page.prev, 'prev')].filter(
      (link) => link !== '',
    )
    if (links.length > 0) reply.header('link', links.join(', '))
    return page.tenants
  })
  handle(endpoints.getTenant, async (call) => record(call, await getTenant(deps, call.tenantId)))
  handle(endpoints.getTenantByPublicKey, (call) =>
    whenReady(tenants.byPublicKey(call.params.publicKey), (entry) => recordOrNull(call, entry)),
  )
  handle(endpoints.getTenantBySlug, (call) =>
    whenReady(tenants.bySlugKey(slugKey(call.params.slug)), (entry) => recordOrNull(call, entry)),
  )
  handle(endpoints.deleteTenant, ({ tenantId, actor }) => deleteTenant(deps, tenantId, actor))
  handle(endpoints.getTenantBrand, async ({ tenantId }) => presentBrand((await getTenant(deps, tenantId)).row))
  handle(endpoints.putTenantBrand, async ({ tenantId, body, query, actor }) =>
    presentTenant(await replaceBrand(deps, tenantId, body, actor, query)),
  )
  handle(endpoints.listBrandVersions, ({ tenantId, query }) => listVersions(deps, brandVersions, tenantId, query))
  handle(endpoints.diffBrandVersions, ({ tenantId, params: { from, to } }) =>
    diffVersions(deps, brandVersions, tenantId, Number(from), Number(to)),
  )
  handle(endpoints.restoreBrandVersion, async ({ tenantId, params, actor }) =>
    presentTenant(await restoreVersion(deps, brandVersions, tenantId, Number(params.version), actor)),
  )
  accountRoutes(management, deps)
}

/** A tenant's billing data, and what its applications identify it by. */
function accountRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.getTenantBilling, ({ tenantId }) => getBilling(deps, tenantId))
  handle(endpoints.putTenantBilling, ({ tenantId, body, actor }) => updateBilling(deps, tenantId, body, actor))
  handle(endpoints.rotateTenantSecretKey, async ({ tenantId, query: { graceSeconds, reveal }, actor }) => {
    const seconds = graceSeconds === undefined ? graceSecondsDefault : Number(graceSeconds)
    const secretKey = await rotateSecretKey(deps, tenantId, seconds, actor)
    return { status: 'success', ...(reveal === 'true' ? { secretKey } : {}) }
  })
  handle(endpoints.getTenantEnv, async (call) => {
    const { tenantId } = call
    const maySeeSecret = call.may('admin', tenantId)
    const { scope } = call.query
    if (scope === 'secret' && !maySeeSecret) throw new ApiError('forbidden')
    const scopes = new Set<EnvScope>(
      scope === undefined ? ['public', ...(maySeeSecret ? (['secret'] as const) : [])] : [scope],
    )
    const env = await tenantEnv(deps, await getTenant(deps, tenantId), scopes)
    const { accept } = call.request.headers
    return accept !== undefined && /^text\/plain\b/i.test(accept.trim())
      ? new Content('text/plain; charset=utf-8', envFile(env))
      : env
  })
}

/** Returns the address of a neighbouring page in the form of RFC 8288. */
function linkTo(
  deps: Deps,
  query: Readonly<Record<string, string>>,
  cursor: string | null,
  rel: 'next' | 'prev',
): string {
  if (cursor === null) return ''
  const url = new URL(`${deps.config.baseUrl}/tenants`)
  for (const [name, value] of Object.entries({ ...query, cursor })) url.searchParams.set(name, value)
  return `<${url.href}>; rel="${rel}"`
}
