import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import type { FindFile } from '../tenants/lifecycle.ts'
import * as providers from './custom-providers.ts'

export function customProviderRoutes({ handle }: Management, deps: Deps, findFile: FindFile) {
  handle(endpoints.createCustomProvider, ({ tenantId, input, principal, actor }) =>
    providers.createCustomProvider(deps, tenantId, input, { principal, actor }, findFile),
  )
  handle(endpoints.listCustomProviders, ({ tenantId }) => providers.listCustomProviders(deps, tenantId))
  handle(endpoints.getCustomProvider, ({ tenantId, params }) => providers.getCustomProvider(deps, tenantId, params.id))
  handle(endpoints.getCustomProviderSecret, ({ tenantId, params, actor }) =>
    providers.revealCustomSecret(deps, tenantId, params.id, actor),
  )
  handle(endpoints.updateCustomProvider, ({ tenantId, params, body, principal, actor }) =>
    providers.updateCustomProvider(deps, tenantId, params.id, body, { principal, actor }, findFile),
  )
  handle(endpoints.checkCustomProvider, ({ tenantId, params }) =>
    providers.checkCustomProvider(deps, tenantId, params.id),
  )
  handle(endpoints.deleteCustomProvider, ({ tenantId, params, actor }) =>
    providers.deleteCustomProvider(deps, tenantId, params.id, actor),
  )
}
