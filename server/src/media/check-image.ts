// Whether bytes are the image that they were announced as, and no more of one than this service takes.
import { hash } from 'node:crypto'
import type { ImageMime } from '@bailiwick/contract'
import { ApiError, invalid } from '../http/api-error.ts'
import { ImageError } from './engine/image-error.ts'
import { checkSize } from './engine/limits.ts'
import { type ImageHeader, readImageHeader } from './image-header/image-header.ts'
import { createTurns } from './turns.ts'
import { SvgRefused, sanitizeSvg } from './svg/sanitize.ts'

/** Each is in memory whole while it is looked at. */
export const inTurn = createTurns(4, 64)

export interface CheckedImage {
  /** What is kept: as it came, but for SVG. */
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
      ? 'must be an SVG document in UTF-8, without a document type that defines entities'
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
  const isSvg = mime === svg
  const bytes = isSvg ? await sanitized(given) : given
  const header = isSvg ? headerOf(bytes, mime) : asGiven
  return { bytes, header, sha256: hash('sha256', bytes, 'hex') }
}
