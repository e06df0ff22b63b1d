// The limits of images. Larger ones are refused by their header, before anything is decoded.
import type { Size } from './box.ts'
import { ImageError } from './image-error.ts'

/** For one picture, and for all frames of an animation together. */
export const pixelsMax = 50_000_000
export const framesMax = 100
export const sideMax = 16_384
/** RFC 9649 §2.5: 14 bits for each side. */
export const webpSideMax = 16_383
export const sourceBytesMax = 20 * 1024 * 1024

/** @throws ImageError too_large */
export function checkSize({ width, height }: Size, frames = 1): void {
  if (frames > framesMax)
    throw new ImageError('too_large', `The image has ${frames} frames; the maximum is ${framesMax}.`)
  if (width > sideMax || height > sideMax) {
    throw new ImageError(
      'too_large',
      `The image is ${width} by ${height} pixels; the maximum for a side is ${sideMax}.`,
    )
  }
  if (width * height * frames > pixelsMax) {
    throw new ImageError('too_large', `The image has ${width * height * frames} pixels; the maximum is ${pixelsMax}.`)
  }
}
