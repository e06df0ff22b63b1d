import type { Deps } from '../../identity/deps.ts'
import { sessionFollowers } from '../../identity/sessions/tables.ts'
import type { Feature } from '../../platform/feature.ts'
import type { FindFile } from '../../tenancy/tenants/lifecycle.ts'
import { applicationRoutes } from './routes.ts'
import { applicationSecrets, applications } from './tables.ts'

export const feature: Feature<Deps, { readonly findFile: FindFile }> = {
  name: 'applications/applications',
  tables: [applications, applicationSecrets, sessionFollowers],
  management: (management, deps, { findFile }) => applicationRoutes(management, deps, findFile),
}
