// Has the workers make an image.
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Deps } from '../deps.ts'
import { layerUrls } from '../engine/definition.ts'
import { ImageError } from '../engine/image-error.ts'
import { findShownFile } from '../files.ts'
import { type ImageChoice, kindOf } from './image-choice.ts'
import { layerBytes } from './layer-bytes.ts'
import { imageBytes } from './read-stored.ts'

/** Returns the error that the caller may see. */
export function apiErrorOf(error: unknown): unknown {
  if (!(error instanceof ImageError)) return error
  switch (error.code) {
    case 'too_large':
      return new ApiError('image_too_large', { detail: error.message })
    case 'pool_busy':
    case 'pool_closed':
      return new ApiError('unavailable', { cause: error, retryAfterSeconds: 2 })
    case 'engine_failure':
      return error
    case 'unsupported':
    case 'unreadable':
    case 'too_slow':
    case 'time_out':
    case 'out_of_memory':
    case 'worker_lost':
      return new ApiError('image_unprocessable', { detail: error.message, cause: error })
  }
}

/**
 * Makes the image again, even if it is stored.
 * @throws ApiError not_found for a file that was deleted meanwhile; image_too_large, image_unprocessable, unavailable
 */
export async function makeImage(deps: Deps, { file, plan, format }: ImageChoice): Promise<Buffer> {
  const { tenant_id: tenantId } = file
  const load = async () => {
    const source = await imageBytes(deps.storage, file)
    if (source === undefined) throw new ImageError('unreadable', 'The image was deleted.')
    return { source, ...(await layerBytes(deps, tenantId, layerUrls(plan))) }
  }
  try {
    const isSvg = kindOf(file) === 'svg'
    return (await deps.imagePool.make(tenantId, { isSvg, plan, format, load, sourceId: file.id })).data
  } catch (error) {
    const isDeleted = error instanceof ImageError && (await findShownFile(deps.db, tenantId, file.id)) === undefined
    throw isDeleted ? notFound() : apiErrorOf(error)
  }
}
