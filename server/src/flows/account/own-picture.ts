// The picture that users have sent of themselves.
import type { Deps } from '../../identity/deps.ts'
import { setUserPicture } from '../../identity/users/user-changes.ts'
import { keepPicture } from '../../media/pictures.ts'
import type { AnyCall } from '../sign-in/flow.ts'

/** @param image Base64, or a data: address of it. */
const bytesOf = (image: string) => Buffer.from(image.slice(image.indexOf(',') + 1), 'base64')

/**
 * Shows another picture in place of the present one, which is removed.
 * @throws ApiError validation_failed for what is no picture; image_too_large, image_unprocessable, media_quota_exceeded
 */
export async function setOwnPicture(deps: Deps, call: AnyCall, image: string) {
  const { tenantId, signedIn } = call
  const actor = call.actor()
  return keepPicture(deps, tenantId, bytesOf(image), actor, (tx, id) =>
    setUserPicture(deps, tx, tenantId, signedIn.row.user_id, id, actor),
  )
}

/** Shows no picture any more. */
export const deleteOwnPicture = (deps: Deps, call: AnyCall) =>
  deps.db.transaction((tx) => setUserPicture(deps, tx, call.tenantId, call.signedIn.row.user_id, null, call.actor()))
