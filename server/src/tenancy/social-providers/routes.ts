import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import * as providers from './social-providers.ts'

export function socialProviderRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createSocialProvider, ({ tenantId, input, principal, actor }) =>
    providers.createSocialProvider(deps, tenantId, input, { principal, actor }),
  )
  handle(endpoints.listSocialProviders, ({ tenantId }) => providers.listSocialProviders(deps, tenantId))
  handle(endpoints.getSocialProvider, ({ tenantId, params }) => providers.getSocialProvider(deps, tenantId, params.id))
  handle(endpoints.getSocialProviderSecret, ({ tenantId, params, actor }) =>
    providers.revealClientSecret(deps, tenantId, params.id, actor),
  )
  handle(endpoints.updateSocialProvider, ({ tenantId, params, body, query, principal, actor }) =>
    providers.updateSocialProvider(deps, tenantId, params.id, body, { principal, actor }, query),
  )
  handle(endpoints.deleteSocialProvider, ({ tenantId, params, actor }) =>
    providers.deleteSocialProvider(deps, tenantId, params.id, actor),
  )
}
