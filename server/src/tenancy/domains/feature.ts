import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { firstDomain } from './domains.ts'
import { domainRoutes } from './routes.ts'
import { domains } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'tenancy/domains',
  tables: [domains],
  management: domainRoutes,
  newTenant: (deps, { tenantId, domain }) => (domain === undefined ? undefined : firstDomain(deps, tenantId, domain)),
}
