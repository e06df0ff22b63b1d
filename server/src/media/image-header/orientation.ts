// Reads which way up a picture is shown: cameras store pictures as taken, together with how the camera was held.
import { type ImageSize, hasText, u16be, u16le, u32be, u32le } from './bytes.ts'

const orientationTag = 0x0112
const shortType = 3
const entryBytes = 12
const entriesMax = 1000
/** In JPEG and, from some programs, in WebP. */
const prefix = 'Exif\0\0'

/** Returns the orientation in an EXIF block (CIPA DC-008 §4.6.4), 1 to 8, or 1 if it has none. */
export function readOrientation(bytes: Uint8Array, start: number, length: number): number {
  const block = bytes.subarray(start, start + length)
  const tiff = hasText(block, 0, prefix) ? block.subarray(prefix.length) : block
  const isLittle = hasText(tiff, 0, 'II')
  if (!isLittle && !hasText(tiff, 0, 'MM')) return 1
  const [u16, u32] = isLittle ? [u16le, u32le] : [u16be, u32be]
  const directory = u32(tiff, 4)
  const entries = Math.min(u16(tiff, directory), entriesMax)
  for (let index = 0; index < entries; index++) {
    const at = directory + 2 + index * entryBytes
    if (u16(tiff, at) !== orientationTag || u16(tiff, at + 2) !== shortType) continue
    const orientation = u16(tiff, at + 8)
    return orientation >= 1 && orientation <= 8 ? orientation : 1
  }
  return 1
}

/** Returns the size of the picture as shown: 5 to 8 lie on their side. Animations are shown as they are. */
export const upright = ({ width, height, frames }: ImageSize, orientation: number): ImageSize =>
  orientation >= 5 && frames === 1 ? { width: height, height: width, frames } : { width, height, frames }
