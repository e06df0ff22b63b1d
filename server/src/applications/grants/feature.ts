import type { Deps } from '../../identity/deps.ts'
import type { DataPart } from '../../identity/people/export.ts'
import type { EndGrants } from '../../identity/people/secure-account.ts'
import type { Feature } from '../../platform/feature.ts'
import { authorizationsPart } from './exported-authorizations.ts'
import { endGrants } from './own-authorizations.ts'
import { grantRoutes } from './routes.ts'
import { grants } from './tables.ts'

export const feature: Feature<Deps> & { readonly dataParts: readonly DataPart[]; readonly endGrants: EndGrants } = {
  name: 'applications/grants',
  tables: [grants],
  management: grantRoutes,
  dataParts: [authorizationsPart],
  endGrants,
}
