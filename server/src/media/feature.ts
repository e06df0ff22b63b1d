import { cleanUpPause, type Feature } from '../platform/feature.ts'
import { cleanUpUploads, forgetStagedBodies } from './clean-up.ts'
import { precomputeHandler, precomputeJobKind } from './delivery/precompute.ts'
import type { Deps } from './deps.ts'
import { removeBytesHandler, removeBytesJobKind } from './remove-bytes.ts'
import { type Binary, mediaRoutes } from './routes.ts'
import { mediaFiles, mediaKeptImages, mediaUploads } from './tables.ts'
import { completeDirectHandler } from './uploads/complete-direct.ts'
import { completeDirectJobKind } from './uploads/uploads.ts'

export const feature: Feature<Deps, { readonly binary: () => Binary }> = {
  name: 'media',
  tables: [mediaFiles, mediaKeptImages, mediaUploads],
  management: (management, deps, { binary }) => mediaRoutes(management, deps, binary()),
  jobs: (deps) => ({
    [removeBytesJobKind]: removeBytesHandler(deps),
    [completeDirectJobKind]: completeDirectHandler(deps),
    [precomputeJobKind]: precomputeHandler(deps),
  }),
  loops: (deps) => [{ name: 'uploads', ...cleanUpPause, step: () => cleanUpUploads(deps) }],
  beforeJobs: async (deps) => {
    if (deps.db.engine === 'sqlite') await forgetStagedBodies(deps)
  },
}
