import { endpoints, slugKey } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type Call, Content, type Router, route } from '../../platform/http/route.ts'
import { Serialized } from '../../platform/http/serialized.ts'
import { holds } from '../../platform/http/authorize.ts'
import { getBilling, updateBilling } from './billing.ts'
import { brandVersions, replaceBrand } from './brand.ts'
import { type EnvScope, envFile, tenantEnv } from './env.ts'
import { deleteTenant } from './lifecycle.ts'
import { listTenantPage, streamTenants } from './list.ts'
import { presentBrand, presentTenant } from './present.ts'
import { graceSecondsDefault, rotateSecretKey } from './secret-key.ts'
import type { TenantEntry } from './tenant-directory.ts'
import { getTenant } from './tenants.ts'
import { diffVersions, listVersions, restoreVersion } from './versions.ts'

const nothing = new Serialized('null')

type TenantCall =
  | Call<typeof endpoints.getTenant>
  | Call<typeof endpoints.getTenantByPublicKey>
  | Call<typeof endpoints.getTenantBySlug>

/** The record from memory where it stands there already. */
function record(call: TenantCall, entry: TenantEntry): Serialized {
  entry.record ??= new Serialized(call.serialize(presentTenant(entry)))
  return entry.record
}

/** For look-ups that answer null: what the caller may not know is as good as absent. */
function recordOrNull(call: TenantCall, entry: TenantEntry | undefined): Serialized {
  if (entry === undefined || !call.knows(entry.row.id)) {
    call.enterNothing()
    return nothing
  }
  call.enter(entry.row.id)
  return record(call, entry)
}

export function tenantRoutes(router: Router, deps: Deps) {
  const { tenants } = deps

  route(router, endpoints.listTenants, async (call) => {
    const { query, principal, reply } = call
    if (query.cursor === undefined && query.perPage === undefined) {
      return new Content('application/json; charset=utf-8', streamTenants(deps, principal, query))
    }
    const page = await listTenantPage(deps, principal, query)
    const links = [linkTo(deps, query, page.next, 'next'), linkTo(deps, query, page.prev, 'prev')].filter(
      (link) => link !== '',
    )
    if (links.length > 0) reply.header('link', links.join(', '))
    return page.tenants
  })

  route(router, endpoints.getTenant, async (call) => record(call, await getTenant(deps, call.enter(call.params.id))))

  route(router, endpoints.deleteTenant, async (call) => deleteTenant(deps, call.enter(call.params.id), call.actor))

  route(router, endpoints.getTenantBilling, async (call) => getBilling(deps, call.enter(call.params.id)))

  route(router, endpoints.putTenantBilling, async (call) =>
    updateBilling(deps, call.enter(call.params.id), call.body, call.actor),
  )

  route(router, endpoints.getTenantByPublicKey, (call) => {
    const found = tenants.byPublicKey(call.params.publicKey)
    return found instanceof Promise ? found.then((entry) => recordOrNull(call, entry)) : recordOrNull(call, found)
  })

  route(router, endpoints.getTenantBySlug, (call) => {
    const found = tenants.bySlugKey(slugKey(call.params.slug))
    return found instanceof Promise ? found.then((entry) => recordOrNull(call, entry)) : recordOrNull(call, found)
  })

  route(router, endpoints.getTenantBrand, async (call) => {
    const entry = await getTenant(deps, call.enter(call.params.id))
    return presentBrand(entry.row)
  })

  route(router, endpoints.putTenantBrand, async (call) => {
    const tenantId = call.enter(call.params.id)
    return presentTenant(await replaceBrand(deps, tenantId, call.body, call.actor))
  })

  route(router, endpoints.listBrandVersions, async (call) =>
    listVersions(deps, brandVersions, call.enter(call.params.id), call.query),
  )

  route(router, endpoints.diffBrandVersions, async (call) => {
    const { id, from, to } = call.params
    return diffVersions(deps, brandVersions, call.enter(id), Number(from), Number(to))
  })

  route(router, endpoints.restoreBrandVersion, async (call) => {
    const { id, version } = call.params
    return presentTenant(await restoreVersion(deps, brandVersions, call.enter(id), Number(version), call.actor))
  })

  route(router, endpoints.rotateTenantSecretKey, async (call) => {
    const tenantId = call.enter(call.params.id)
    const { graceSeconds } = call.query
    await rotateSecretKey(
      deps,
      tenantId,
      graceSeconds === undefined ? graceSecondsDefault : Number(graceSeconds),
      call.actor,
    )
    return { status: 'success' }
  })

  route(router, endpoints.getTenantEnv, async (call) => {
    const tenantId = call.enter(call.params.id)
    const maySeeSecret = holds(call.principal, 'admin', tenantId)
    const { scope } = call.query
    if (scope === 'secret' && !maySeeSecret) throw new ApiError('forbidden')
    const scopes = new Set<EnvScope>(
      scope === undefined ? ['public', ...(maySeeSecret ? (['secret'] as const) : [])] : [scope],
    )
    const entry = await tenants.byId(tenantId)
    if (entry === undefined) throw notFound()
    const env = await tenantEnv(deps, entry, scopes)
    const { accept } = call.request.headers
    return accept !== undefined && /^text\/plain\b/i.test(accept.trim())
      ? new Content('text/plain; charset=utf-8', envFile(env))
      : env
  })
}

/** The address of a neighbouring page, as RFC 8288 writes it. */
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
