// The pictures that users upload of themselves.
import type { Deps } from '../../identity/deps.ts'
import { setUserPicture } from '../../identity/people/user-changes.ts'
import { keepPicture } from '../../media/uploads/pictures.ts'
import type { AnyCall } from '../frontend/flow.ts'

/** @param image Base64, or a data: address. */
const bytesOf = (image: string) => Buffer.from(image.slice(image.indexOf(',') + 1), 'base64')

/**
 * Replaces the present picture, which is removed.
 * @throws ApiError validation_failed if it is not a picture; image_too_large, image_unprocessable, media_quota_exceeded
 */
export async function setOwnPicture(deps: Deps, call: AnyCall, image: string) {
  const { tenantId, signedIn } = call
  const actor = call.actor()
  return keepPicture(deps, tenantId, bytesOf(image), actor, (tx, id) =>
    setUserPicture(deps, tx, tenantId, signedIn.row.user_id, id, actor),
  )
}

/** Removes the picture. */
export const deleteOwnPicture = (deps: Deps, call: AnyCall) =>
  deps.db.transaction((tx) => setUserPicture(deps, tx, call.tenantId, call.signedIn.row.user_id, null, call.actor()))
