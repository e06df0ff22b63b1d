// Makes addresses that show a private file for a while to whoever has them.
import type { SignFile, SignedFile } from '@bailiwick/contract'
import { addMilliseconds } from '../../platform/clock.ts'
import { invalid, notFound } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { findStoredFile } from '../files.ts'
import { findDefinition } from '../transformations/transformations.ts'
import { signedAddress, versionOf } from './image-address.ts'
import { plainDefinition } from './image-query.ts'

const validSeconds = 600

/** @throws ApiError not_found; validation_failed for a transformation that the tenant does not have */
export async function signFile(
  deps: Deps,
  tenantId: TenantId,
  fileId: string,
  { transformation, expiresIn = validSeconds }: SignFile,
): Promise<SignedFile> {
  const file = await findStoredFile(deps.db, tenantId, fileId)
  if (file === undefined) throw notFound()
  const definition =
    transformation === undefined ? plainDefinition : await findDefinition(deps, tenantId, transformation)
  if (definition === undefined) {
    throw invalid('/transformation', 'unknown_reference', 'is not the name of a transformation of this tenant')
  }
  const expiresAtSeconds = Math.floor(deps.clock.nowMs() / 1000) + expiresIn
  const image = { tenantId, fileId, transformation, expiresAtSeconds }
  const left = expiresAtSeconds * 1000 - deps.clock.nowMs()
  return {
    url: signedAddress(deps, image, versionOf(definition)),
    expiresAt: addMilliseconds(deps.clock.now(), left),
  }
}
