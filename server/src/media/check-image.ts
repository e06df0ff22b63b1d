// Whether bytes are the image that they were announced as, and no more of one than this service takes.
import { createHash } from 'node:crypto'
import type { ImageMime } from '@bailiwick/contract'
import { ApiError, invalid } from '../http/api-error.ts'
import { type ImageHeader, readImageHeader } from './image-header/image-header.ts'
import { createTurns } from './turns.ts'
import { SvgRefused, sanitizeSvg } from './svg/sanitize.ts'

/** SECURITY section 5, images. */
const pixelsMax = 50_000_000
const sideMax = 16_384
const framesMax = 100

/** Each is in memory whole while it is looked at. */
export const inTurn = createTurns(4, 64)

export interface CheckedImage {
  /** What is kept: as it came, but for SVG. */
  readonly bytes: Uint8Array
  readonly header: ImageHeader
  readonly sha256: string
}

const malformed = () => invalid('', 'malformed_image', 'must be an undamaged JPEG, PNG, WebP, GIF, AVIF or SVG image')

function headerOf(bytes: Uint8Array, mime: ImageMime): ImageHeader {
  const header = readImageHeader(bytes)
  if (header === undefined) throw malformed()
  if (header.mime !== mime) throw invalid('/mime', 'wrong_type', `was announced as ${mime} and is ${header.mime}`)
  const { width, height, frames } = header
  // The frames of an animation are decoded one above the other, into one tall picture.
  const pixels = (width ?? 1) * (height ?? 1) * frames
  if ((width ?? 1) > sideMax || (height ?? 1) > sideMax || frames > framesMax || pixels > pixelsMax) {
    throw new ApiError('image_too_large')
  }
  return header
}

async function sanitized(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await sanitizeSvg(bytes)
  } catch (error) {
    if (error instanceof SvgRefused) throw invalid('', 'malformed_image', error.message)
    throw error
  }
}

/** @throws ApiError validation_failed, image_too_large; TooManyWaiting */
export async function checkImage(given: Uint8Array, mime: ImageMime): Promise<CheckedImage> {
  const asGiven = headerOf(given, mime)
  const isSvg = mime === 'image/svg+xml'
  const bytes = isSvg ? await sanitized(given) : given
  const header = isSvg ? headerOf(bytes, mime) : asGiven
  return { bytes, header, sha256: createHash('sha256').update(bytes).digest('hex') }
}
