import { cleanUpPause, type Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { cleanUpImportJobs } from './clean-up.ts'
import { importJobRoutes } from './routes.ts'
import { importJobParts, importJobs } from './tables.ts'
import { importJobHandler, importJobKind } from './work.ts'

export const feature: Feature<Deps> = {
  name: 'identity/import-jobs',
  tables: [importJobs, importJobParts],
  management: importJobRoutes,
  jobs: (deps) => ({ [importJobKind]: importJobHandler(deps) }),
  loops: (deps) => [{ name: 'import jobs', ...cleanUpPause, step: () => cleanUpImportJobs(deps) }],
}
