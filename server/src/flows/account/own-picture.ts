// The picture that users have sent of themselves.
import type { Deps } from '../../identity/deps.ts'
import { setUserPicture } from '../../identity/users/user-changes.ts'
import { discardPicture, keepPicture } from '../../media/pictures.ts'
import type { AnyCall } from '../sign-in/flow.ts'

/** @param image Base64, or a data: address of it. */
const bytesOf = (image: string) => Buffer.from(image.slice(image.indexOf(',') + 1), 'base64')

/**
 * Shows another picture in place of the present one, which is removed.
 * @throws ApiError validation_failed for what is no picture; image_too_large, image_unprocessable, media_quota_exceeded
 */
export async function setOwnPicture(deps: Deps, call: AnyCall, image: string) {
  const { tenantId, signedIn } = call
  // A process that ends between the two steps leaves a public file that nobody shows and that counts against the tenant's quota. Nothing
  // tells it apart from a file that the tenant's own server has uploaded, so it is not swept: the tenant can delete it like any other.
  const actor = call.actor()
  const id = await keepPicture(deps, tenantId, bytesOf(image), actor)
  try {
    return await setUserPicture(deps, tenantId, signedIn.row.user_id, id, actor)
  } catch (error) {
    // Where only the confirmation of the commit was lost, the picture is shown and cannot be discarded: the caller hears of the first error.
    await discardPicture(deps, tenantId, id, actor).catch((err: unknown) =>
      deps.log.warn({ err, tenantId }, 'cannot discard a picture that could not be shown'),
    )
    throw error
  }
}

/** Shows no picture any more. */
export const deleteOwnPicture = (deps: Deps, call: AnyCall) =>
  setUserPicture(deps, call.tenantId, call.signedIn.row.user_id, null, call.actor())
