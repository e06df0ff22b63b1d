import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import { attributesVersions } from '../../tenancy/tenants/attributes/document.ts'
import { diffVersions, listVersions } from '../../tenancy/tenants/versions/versions.ts'
import type { Deps } from '../deps.ts'
import { getAttributes, previewAttributes, putAttributes, restoreAttributes } from './attributes.ts'

export function attributeRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.getAttributes, ({ tenantId }) => getAttributes(deps, tenantId))
  handle(endpoints.putAttributes, ({ tenantId, body, query, actor }) =>
    putAttributes(deps, tenantId, body, actor, query),
  )
  handle(endpoints.previewAttributes, ({ tenantId, body }) => previewAttributes(deps, tenantId, body))
  handle(endpoints.listAttributesVersions, ({ tenantId, query }) =>
    listVersions(deps, attributesVersions, tenantId, query),
  )
  handle(endpoints.diffAttributesVersions, ({ tenantId, params: { from, to } }) =>
    diffVersions(deps, attributesVersions, tenantId, Number(from), Number(to)),
  )
  handle(endpoints.restoreAttributesVersion, ({ tenantId, params, actor }) =>
    restoreAttributes(deps, tenantId, Number(params.version), actor),
  )
}
