import type { Deps } from '../../identity/deps.ts'
import type { DataPart } from '../../identity/people/export.ts'
import type { Feature } from '../../platform/feature.ts'
import { authorizationsPart } from './exported-authorizations.ts'
import { grantRoutes } from './routes.ts'
import { grants } from './tables.ts'

export const feature: Feature<Deps> & { readonly dataParts: readonly DataPart[] } = {
  name: 'applications/grants',
  tables: [grants],
  management: grantRoutes,
  dataParts: [authorizationsPart],
}
