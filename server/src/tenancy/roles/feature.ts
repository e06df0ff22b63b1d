import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { defaultRoles } from './default-roles.ts'
import { roleRoutes } from './routes.ts'
import { roles } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'tenancy/roles',
  tables: [roles],
  management: roleRoutes,
  newTenant: (deps, { tenantId }) => defaultRoles(deps, tenantId),
}
