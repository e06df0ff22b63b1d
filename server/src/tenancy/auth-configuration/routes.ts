import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { presentTenant } from '../tenants/present.ts'
import { getTenant } from '../tenants/tenants.ts'
import { diffVersions, listVersions, restoreVersion } from '../tenants/versions.ts'
import { authVersions, updateAuthConfiguration } from './auth-configuration.ts'
import { previewChange } from './preview.ts'

export function authConfigurationRoutes(router: Router, deps: Deps) {
  route(router, endpoints.getAuthTenant, async (call) =>
    presentTenant(await getTenant(deps, call.enter(call.params.id))),
  )

  route(router, endpoints.putAuthTenant, async (call) => {
    const tenantId = call.enter(call.params.id)
    return presentTenant(await updateAuthConfiguration(deps, tenantId, call.body, call.actor))
  })

  route(router, endpoints.putTenantSession, async (call) => {
    const tenantId = call.enter(call.params.id)
    return presentTenant(await updateAuthConfiguration(deps, tenantId, call.body, call.actor))
  })

  route(router, endpoints.previewAuthTenant, async (call) => previewChange(deps, call.enter(call.params.id), call.body))

  route(router, endpoints.listAuthVersions, async (call) =>
    listVersions(deps, authVersions, call.enter(call.params.id), call.query),
  )

  route(router, endpoints.diffAuthVersions, async (call) => {
    const { id, from, to } = call.params
    return diffVersions(deps, authVersions, call.enter(id), Number(from), Number(to))
  })

  route(router, endpoints.restoreAuthVersion, async (call) => {
    const { id, version } = call.params
    return presentTenant(await restoreVersion(deps, authVersions, call.enter(id), Number(version), call.actor))
  })
}
