import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { findStoredFile } from '../../media/files.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { restoreTenant, updateTenant } from '../../tenancy/tenants/lifecycle.ts'
import { presentTenant } from '../../tenancy/tenants/present.ts'
import { createTenant } from './create-tenant.ts'
import { checkTenantLimit } from './tenant-limit.ts'

export function tenantLifecycleRoutes(router: Router, deps: Deps) {
  route(router, endpoints.createTenant, async (call) => presentTenant(await createTenant(deps, call.body, call.actor)))

  route(router, endpoints.updateTenant, async (call) => {
    const tenantId = call.enter(call.params.id)
    return presentTenant(await updateTenant(deps, tenantId, call.body, call.actor, findStoredFile))
  })

  route(router, endpoints.restoreTenant, async (call) => {
    const tenantId = call.enter(call.params.id)
    const consoleTenantId = await getConsoleTenantId(deps.db)
    const restored = await restoreTenant(deps, tenantId, call.actor, (tx, creatorId) =>
      checkTenantLimit(deps, tx, consoleTenantId, creatorId),
    )
    return presentTenant(restored)
  })
}
