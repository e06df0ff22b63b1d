import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { findStoredFile } from '../../media/files.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { restoreTenant, updateTenant } from '../../tenancy/tenants/lifecycle.ts'
import { presentTenant } from '../../tenancy/tenants/present.ts'
import { createTenant } from './create-tenant.ts'
import { checkTenantLimit } from './tenant-limit.ts'

export function tenantLifecycleRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createTenant, async ({ body, actor }) => presentTenant(await createTenant(deps, body, actor)))
  handle(endpoints.updateTenant, async ({ tenantId, body, query, actor }) =>
    presentTenant(await updateTenant(deps, tenantId, body, actor, findStoredFile, query)),
  )
  handle(endpoints.restoreTenant, async ({ tenantId, actor }) => {
    const consoleTenantId = await getConsoleTenantId(deps.db)
    const restored = await restoreTenant(deps, tenantId, actor, (tx, creatorId) =>
      checkTenantLimit(deps, tx, consoleTenantId, creatorId),
    )
    return presentTenant(restored)
  })
}
