import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { defaultTransformations } from './default-transformations.ts'
import { transformationRoutes } from './routes.ts'
import { transformations } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'media/transformations',
  tables: [transformations],
  management: transformationRoutes,
  newTenant: (deps, { tenantId }) => defaultTransformations(deps, tenantId),
}
