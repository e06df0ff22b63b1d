import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { presentTenant } from '../tenants/present.ts'
import { getTenant } from '../tenants/tenants.ts'
import { diffVersions, listVersions, restoreVersion } from '../tenants/versions/versions.ts'
import { authVersions, authVersionsFor, updateAuthConfiguration } from './auth-configuration.ts'
import { previewChange } from './preview.ts'

export function authConfigurationRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.getAuthTenant, async ({ tenantId }) => presentTenant(await getTenant(deps, tenantId)))
  handle(endpoints.putAuthTenant, async ({ tenantId, body, query, principal, actor }) =>
    presentTenant(await updateAuthConfiguration(deps, tenantId, body, { principal, actor }, query)),
  )
  handle(endpoints.putTenantSession, async ({ tenantId, body, principal, actor }) =>
    presentTenant(await updateAuthConfiguration(deps, tenantId, body, { principal, actor })),
  )
  handle(endpoints.previewAuthTenant, ({ tenantId, body }) => previewChange(deps, tenantId, body))
  handle(endpoints.listAuthVersions, ({ tenantId, query }) => listVersions(deps, authVersions, tenantId, query))
  handle(endpoints.diffAuthVersions, ({ tenantId, params: { from, to } }) =>
    diffVersions(deps, authVersions, tenantId, Number(from), Number(to)),
  )
  handle(endpoints.restoreAuthVersion, async ({ tenantId, params, principal, actor }) =>
    presentTenant(await restoreVersion(deps, authVersionsFor(principal), tenantId, Number(params.version), actor)),
  )
}
