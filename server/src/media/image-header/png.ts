import { type ReadHeader, hasText, u32be } from './bytes.ts'
import { readOrientation, upright } from './orientation.ts'

const signature = '\x89PNG\r\n\x1a\n'
const headerLength = 13
/** Length, type and checksum. */
const aroundChunk = 12

export const readPng: ReadHeader = (bytes) => {
  if (!hasText(bytes, 0, signature)) return undefined
  if (u32be(bytes, 8) !== headerLength || !hasText(bytes, 12, 'IHDR')) return undefined
  const width = u32be(bytes, 16)
  const height = u32be(bytes, 20)
  let frames = 1
  let orientation = 1
  for (let at = signature.length; at < bytes.length;) {
    const length = u32be(bytes, at)
    // An animation states its number of frames before its first picture (APNG 1.0).
    if (hasText(bytes, at + 4, 'acTL')) frames = u32be(bytes, at + 8)
    if (hasText(bytes, at + 4, 'eXIf')) orientation = readOrientation(bytes, at + 8, length)
    if (hasText(bytes, at + 4, 'IDAT')) return upright({ width, height, frames }, orientation)
    at += aroundChunk + length
  }
  return undefined
}
