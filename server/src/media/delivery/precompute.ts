// Images that are made as soon as their file has come, because the upload said so. What cannot be made is left to whoever asks
// for it, who is then told why: a file is none the worse for it.
import type { Deps } from '../deps.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { type JobHandler, JobRefused, jobStatement } from '../../platform/jobs/jobs.ts'
import { findDefinition } from '../transformations/transformations.ts'
import type { ImageDefinition } from '../engine/definition.ts'
import { findShownFile } from '../files.ts'
import type { ShownFileRow } from '../queries.ts'
import { type ImageChoice, createChooser } from './image-choice.ts'
import { makeImage } from './make-image.ts'
import type { Statement } from '../../platform/db/sql.ts'
import type { FileId, TenantId } from '../../platform/ids.ts'

/** What browsers say that they take, so that of `auto` each format is made that it can come out as. */
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
    // Too many wait just now: the job comes again.
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
      // Asked for each time: it may be deleted meanwhile.
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

/** Makes images of a new file by the transformations that its upload named, before anybody asks for them. */
export const precomputeJob = (
  { clock }: Pick<Deps, 'clock'>,
  tenantId: TenantId,
  fileId: FileId,
  transformations: readonly string[],
): Statement => jobStatement(clock, { tenantId, kind: precomputeJobKind, key: fileId, payload: { transformations } })
