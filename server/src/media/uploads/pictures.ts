// Square pictures of people. They are made anew from what was sent, so that no metadata and nothing hidden in the bytes is stored.
import { Readable } from 'node:stream'
import { type ImageMime, pictureBytesMax } from '@bailiwick/contract'
import type { Config } from '../../platform/config.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { invalid, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { apiErrorOf } from '../delivery/make-image.ts'
import type { Deps } from '../deps.ts'
import { type ImageDefinition, planImage } from '../engine/definition.ts'
import { readImageHeader } from '../image-header/image-header.ts'
import * as queries from '../queries.ts'
import { withCheckedImage } from './check-image.ts'
import { receiveUpload } from './receive.ts'
import { createUpload, deleteUpload, removeUpload } from './uploads.ts'

const side = 512
const format = 'webp'
const mime = 'image/webp'
const definition: ImageDefinition = {
  outputFormat: format,
  outputQuality: 85,
  outputCompression: 20,
  outputWidth: side,
  outputHeight: side,
  outputResizeMode: 'crop',
  steps: [],
}

/**
 * Returns the address of a picture as it is stored; `?t=avatar` after it gives a smaller one, as long as the tenant has that
 * transformation.
 */
export function pictureAddress({ baseUrl }: Pick<Config, 'baseUrl'>, tenantId: string, fileId: string): string {
  const path = [tenantId, fileId].map(encodeURIComponent).join('/')
  return `${baseUrl}/media/${path}/image`
}

function mimeOf(bytes: Uint8Array): ImageMime {
  if (bytes.length > pictureBytesMax) throw invalid('/image', 'too_large', `must have at most ${pictureBytesMax} bytes`)
  const header = readImageHeader(bytes)
  if (header === undefined || header.mime === 'image/svg+xml') {
    throw invalid('/image', 'malformed_image', 'must be an undamaged JPEG, PNG, WebP, GIF or AVIF image')
  }
  return header.mime
}

async function makeSquare({ imagePool }: Deps, tenantId: TenantId, bytes: Uint8Array): Promise<Buffer> {
  let made: Buffer | undefined
  const given = { tenantId, mime: mimeOf(bytes), size: bytes.length, load: async () => bytes }
  await withCheckedImage(given, async (image) => {
    const load = async () => ({ source: image.bytes, layers: new Map<string, Uint8Array>() })
    try {
      made = (await imagePool.make(tenantId, { isSvg: false, plan: planImage(definition), format, load })).data
    } catch (error) {
      throw apiErrorOf(error)
    }
  })
  if (made === undefined) throw new Error('an image was checked and not made')
  return made
}

/** Frees the room of a picture that was announced and not stored, which would otherwise expire within the hour. */
async function discardUpload(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  try {
    await deleteUpload(deps, tenantId, id, actor)
  } catch (err) {
    // For example because only the confirmation of the commit was lost; then the picture is shown, and stays.
    deps.log.warn({ err, tenantId }, 'cannot discard a picture that could not be shown')
  }
}

/**
 * Stores a picture as a public file of the tenant.
 * @param show assigns the file with this id, in the transaction that creates it, so that no unused file is left.
 * @throws ApiError validation_failed for anything but a picture; image_too_large, image_unprocessable, media_quota_exceeded, unavailable,
 * and whatever `show` throws
 */
export async function keepPicture<Shown>(
  deps: Deps,
  tenantId: TenantId,
  bytes: Uint8Array,
  actor: Actor,
  show: (tx: Transaction, id: string) => Promise<Shown>,
): Promise<Shown> {
  const picture = await makeSquare(deps, tenantId, bytes)
  const announced = { access: 'public', originalFilename: 'picture.webp', mime, size: picture.length } as const
  const { id } = await createUpload(deps, tenantId, announced, actor)
  try {
    const row = await queries.selectUpload(deps.db, tenantId, id)
    if (row === undefined) throw notFound()
    let shown: Shown | undefined
    const use = async (tx: Transaction) => {
      shown = await show(tx, id)
    }
    await receiveUpload(deps, row, () => Readable.from([picture]), actor, use)
    return shown as Shown
  } catch (error) {
    await discardUpload(deps, tenantId, id, actor)
    throw error
  }
}

/**
 * Removes a picture in the transaction that has stopped showing it. Does nothing if it is gone already, or shown elsewhere, for example as
 * the tenant's logo.
 */
export async function removePicture(deps: Deps, tx: Transaction, tenantId: TenantId, id: string, actor: Actor) {
  // Keeps the file from becoming the tenant's icon or logo meanwhile.
  await queries.selectTenantForNoKeyUpdate(tx, tenantId)
  if (await queries.selectIsShown(tx, tenantId, id)) return
  const upload = await queries.selectUploadForUpdate(tx, tenantId, id)
  if (upload === undefined) return
  await removeUpload(deps, tx, upload, await queries.selectFile(tx, tenantId, id), actor)
}
