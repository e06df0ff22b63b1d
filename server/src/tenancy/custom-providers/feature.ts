import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import type { FindFile } from '../tenants/lifecycle.ts'
import { customProviderRoutes } from './routes.ts'
import { customProviders } from './tables.ts'

export const feature: Feature<Deps, { readonly findFile: FindFile }> = {
  name: 'tenancy/custom-providers',
  tables: [customProviders],
  management: (management, deps, { findFile }) => customProviderRoutes(management, deps, findFile),
}
