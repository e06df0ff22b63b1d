// A transformation tried on a file, before anything is stored.
import type { PreviewTransformation } from '@bailiwick/contract'
import { invalid } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { mediaTypes } from '../engine/formats.ts'
import { findStoredFile } from '../files.ts'
import { createChooser } from './image-choice.ts'
import type { ProcessedImages } from './processed-image.ts'

/**
 * Returns the image and its type; `auto` is decided by the Accept header.
 * @throws ApiError not_found for the tenant, validation_failed for the file; image_too_large, image_unprocessable
 */
export async function previewTransformation(
  deps: Deps,
  images: ProcessedImages,
  tenantId: TenantId,
  { fileId, ...definition }: Omit<PreviewTransformation, 'tenantId'>,
  accept: string | undefined,
): Promise<{ readonly mediaType: string; readonly bytes: Buffer }> {
  await getTenant(deps, tenantId)
  const file = await findStoredFile(deps.db, tenantId, fileId)
  if (file === undefined) throw invalid('/fileId', 'unknown_reference', 'is not a file of this tenant')
  const choice = createChooser(file, definition)(accept)
  return { mediaType: mediaTypes[choice.format], bytes: await images.preview(choice) }
}
