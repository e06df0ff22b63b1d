import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import * as domains from './domains.ts'

export function domainRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listDomains, ({ tenantId }) => domains.listDomains(deps, tenantId))
  handle(endpoints.createDomain, ({ tenantId, body, actor }) => domains.createDomain(deps, tenantId, body.name, actor))
  handle(endpoints.getDomain, ({ tenantId, params }) => domains.getDomain(deps, tenantId, params.id))
  handle(endpoints.verifyDomain, ({ tenantId, params, actor }) =>
    domains.verifyDomain(deps, tenantId, params.id, actor),
  )
  handle(endpoints.makeDomainPrimary, ({ tenantId, params, actor }) =>
    domains.makeDomainPrimary(deps, tenantId, params.id, actor),
  )
  handle(endpoints.deleteDomain, ({ tenantId, params, actor }) =>
    domains.deleteDomain(deps, tenantId, params.id, actor),
  )
}
