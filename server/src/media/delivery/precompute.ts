// Makes images as soon as their file has arrived, if the upload asked for it. Images that cannot be made are left out, and the file stays
// as it is; whoever requests such an image gets the error.
import type { Statement } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { FileId, TenantId } from '../../platform/ids.ts'
import { type JobHandler, JobRefused, jobStatement } from '../../platform/jobs/jobs.ts'
import type { Deps } from '../deps.ts'
import type { ImageDefinition } from '../engine/definition.ts'
import { findShownFile } from '../files.ts'
import type { ShownFileRow } from '../queries.ts'
import { findDefinition } from '../transformations/transformations.ts'
import { type ImageChoice, createChooser } from './image-choice.ts'
import { makeImage } from './make-image.ts'

/** Accept headers of browsers, so that each format that `auto` may choose is made. */
const accepted = ['image/avif,image/webp', 'image/webp', undefined] as const

function choicesOf(file: ShownFileRow, definition: ImageDefinition): ImageChoice[] {
  const choose = createChooser(file, definition)
  const choices = accepted.map((accept) => choose(accept)).filter(({ isVector }) => !isVector)
  return [...new Map(choices.map((choice) => [choice.key, choice])).values()]
}

async function makeOne(deps: Deps, choice: ImageChoice): Promise<void> {
  if ((await deps.storage.head(choice.key)) !== undefined) return
  try {
    await deps.keptImages.keep(choice, await makeImage(deps, choice))
  } catch (error) {
    // Too many tasks are waiting now; the job runs again later.
    if (!(error instanceof ApiError) || error.code === 'unavailable') throw error
    if (error.code === 'not_found') return
    const { tenant_id: tenantId, id: fileId } = choice.file
    deps.log.warn({ err: error, tenantId, fileId }, 'an image could not be made beforehand')
  }
}

export const precomputeHandler = (deps: Deps): JobHandler => ({
  run: async ({ tenantId, key, payload }, signal) => {
    const { transformations } = payload as { readonly transformations?: unknown }
    if (!Array.isArray(transformations)) throw new JobRefused('the job names no transformations')
    for (const name of transformations as readonly string[]) {
      const definition = await findDefinition(deps, tenantId, name)
      if (definition === undefined) continue
      // Read each time, because the transformation may be deleted meanwhile.
      const file = await findShownFile(deps.db, tenantId, key)
      if (file === undefined) return 'done'
      for (const choice of choicesOf(file, definition)) {
        signal.throwIfAborted()
        await makeOne(deps, choice)
      }
    }
    return 'done'
  },
})

export const precomputeJobKind = 'media.precompute'

/** Makes images of a new file with the transformations named by its upload, before anybody requests them. */
export const precomputeJob = (
  { clock }: Pick<Deps, 'clock'>,
  tenantId: TenantId,
  fileId: FileId,
  transformations: readonly string[],
): Statement => jobStatement(clock, { tenantId, kind: precomputeJobKind, key: fileId, payload: { transformations } })
