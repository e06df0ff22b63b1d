import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import type { FindFile } from '../tenants/lifecycle.ts'
import { pageSettingRoutes } from './routes.ts'

export const feature: Feature<Deps, { readonly findFile: FindFile }> = {
  name: 'tenancy/pages',
  management: (management, deps, { findFile }) => pageSettingRoutes(management, deps, findFile),
}
