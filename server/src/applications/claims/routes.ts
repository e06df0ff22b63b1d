import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { claimsVersions } from '../../tenancy/tenants/claims/document.ts'
import { diffVersions, listVersions } from '../../tenancy/tenants/versions/versions.ts'
import { getClaims, putClaims, restoreClaims } from './claims.ts'

export function claimRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.getClaims, ({ tenantId }) => getClaims(deps, tenantId))
  handle(endpoints.putClaims, ({ tenantId, body, query, actor }) => putClaims(deps, tenantId, body, actor, query))
  handle(endpoints.previewClaims, async ({ tenantId, body }) =>
    (await import('./preview.ts')).previewClaims(deps, tenantId, body),
  )
  handle(endpoints.listClaimsVersions, ({ tenantId, query }) => listVersions(deps, claimsVersions, tenantId, query))
  handle(endpoints.diffClaimsVersions, ({ tenantId, params: { from, to } }) =>
    diffVersions(deps, claimsVersions, tenantId, Number(from), Number(to)),
  )
  handle(endpoints.restoreClaimsVersion, ({ tenantId, params, actor }) =>
    restoreClaims(deps, tenantId, Number(params.version), actor),
  )
}
