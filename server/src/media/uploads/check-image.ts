// Checks whether bytes are the image that they were announced as, within the service's limits.
import { hash } from 'node:crypto'
import type { ImageMime } from '@bailiwick/contract'
import { ApiError, invalid } from '../../platform/http/api-error.ts'
import { createTurns } from '../../platform/turns/turns.ts'
import { ImageError } from '../engine/image-error.ts'
import { checkSize } from '../engine/limits.ts'
import { type ImageHeader, readImageHeader } from '../image-header/image-header.ts'
import { SvgRefused, checkSvgSize, sanitizeSvg } from '../svg/sanitize.ts'

/** Each image is in memory as a whole while it is checked and stored. */
const inTurn = createTurns({ atOnceMax: 4, atOnceOfOwnerMax: 3, waitingMax: 128, waitingOfOwnerMax: 64 })

export interface CheckedImage {
  /** The bytes to store: as they arrived, except for SVG. */
  readonly bytes: Uint8Array
  readonly header: ImageHeader
  readonly sha256: string
}

const svg: ImageMime = 'image/svg+xml'

const malformed = (mime: ImageMime) =>
  invalid(
    '',
    'malformed_image',
    mime === svg
      ? 'must be an SVG document in UTF-8 whose document type defines no entities'
      : 'must be an undamaged JPEG, PNG, WebP, GIF, AVIF or SVG image',
  )

function headerOf(bytes: Uint8Array, mime: ImageMime): ImageHeader {
  const header = readImageHeader(bytes)
  if (header === undefined) throw malformed(mime)
  if (header.mime !== mime) throw invalid('/mime', 'wrong_type', `was announced as ${mime} and is ${header.mime}`)
  const { width, height, frames } = header
  try {
    checkSize({ width: width ?? 1, height: height ?? 1 }, frames)
  } catch (error) {
    throw error instanceof ImageError ? new ApiError('image_too_large', { detail: error.message }) : error
  }
  return header
}

/** Returns the error for SVG that the sanitiser refuses. */
function refusal(error: unknown): unknown {
  return error instanceof SvgRefused ? invalid('', 'malformed_image', error.message) : error
}

const checked = (bytes: Uint8Array, mime: ImageMime): CheckedImage => ({
  bytes,
  header: headerOf(bytes, mime),
  sha256: hash('sha256', bytes, 'hex'),
})

export interface GivenImage {
  /** The owner whose turn is taken. */
  readonly tenantId: string
  readonly mime: ImageMime
  readonly size: number
  /** Returns the bytes when it is their turn. */
  readonly load: () => Promise<Uint8Array>
}

/**
 * Checks an image and passes it to `keep`. SVG is sanitised before it takes one of the places that all images share.
 * @throws ApiError validation_failed, image_too_large; TooManyWaiting; errors of `load` and `keep`
 */
export async function withCheckedImage(
  { tenantId, mime, size, load }: GivenImage,
  keep: (image: CheckedImage) => Promise<void>,
): Promise<void> {
  if (mime !== svg) return inTurn(tenantId, async () => keep(checked(await load(), mime)))
  let bytes: Uint8Array
  try {
    checkSvgSize(size)
    bytes = await sanitizeSvg(tenantId, async () => {
      const given = await load()
      headerOf(given, mime)
      return given
    })
  } catch (error) {
    throw refusal(error)
  }
  return inTurn(tenantId, () => keep(checked(bytes, mime)))
}
