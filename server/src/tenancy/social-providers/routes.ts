import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { type Locating, locate } from '../../platform/http/locate.ts'
import { type Router, route } from '../../platform/http/route.ts'
import * as providers from './social-providers.ts'

export function socialProviderRoutes(router: Router, deps: Deps) {
  route(router, endpoints.createSocialProvider, async (call) => {
    const { tenantId, ...input } = call.body
    return providers.createSocialProvider(deps, call.enter(tenantId), input, call.actor)
  })

  route(router, endpoints.listSocialProviders, async (call) =>
    providers.listSocialProviders(deps, call.enter(call.query.tenantId)),
  )

  /** In which tenant a provider would have to be. */
  const tenantOf = (call: Locating & { readonly params: { readonly id: string } }) =>
    locate(deps.db, call, 'social_providers', call.params.id)

  route(router, endpoints.getSocialProvider, async (call) =>
    providers.getSocialProvider(deps, call.enter(await tenantOf(call)), call.params.id),
  )

  route(router, endpoints.getSocialProviderSecret, async (call) =>
    providers.revealClientSecret(deps, call.enter(await tenantOf(call)), call.params.id, call.actor),
  )

  route(router, endpoints.updateSocialProvider, async (call) => {
    const tenantId = call.enter(await tenantOf(call))
    return providers.updateSocialProvider(deps, tenantId, call.params.id, call.body, call.actor)
  })

  route(router, endpoints.deleteSocialProvider, async (call) =>
    providers.deleteSocialProvider(deps, call.enter(await tenantOf(call)), call.params.id, call.actor),
  )
}
