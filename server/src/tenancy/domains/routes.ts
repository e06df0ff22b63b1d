import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { type Locating, locate } from '../../platform/http/locate.ts'
import { type Router, route } from '../../platform/http/route.ts'
import * as domains from './domains.ts'

export function domainRoutes(router: Router, deps: Deps) {
  const tenantOf = (call: Locating & { readonly params: { readonly id: string } }) =>
    locate(deps.db, call, 'domains', call.params.id)

  route(router, endpoints.listDomains, async (call) => domains.listDomains(deps, call.enter(call.query.tenantId)))

  route(router, endpoints.createDomain, async (call) => {
    const { tenantId, name } = call.body
    return domains.createDomain(deps, call.enter(tenantId), name, call.actor)
  })

  route(router, endpoints.getDomain, async (call) =>
    domains.getDomain(deps, call.enter(await tenantOf(call)), call.params.id),
  )

  route(router, endpoints.verifyDomain, async (call) =>
    domains.verifyDomain(deps, call.enter(await tenantOf(call)), call.params.id, call.actor),
  )

  route(router, endpoints.makeDomainPrimary, async (call) =>
    domains.makeDomainPrimary(deps, call.enter(await tenantOf(call)), call.params.id, call.actor),
  )

  route(router, endpoints.deleteDomain, async (call) =>
    domains.deleteDomain(deps, call.enter(await tenantOf(call)), call.params.id, call.actor),
  )
}
