// RFC 9649.
import { type ReadHeader, hasText, u16le, u24le, u32le, u8 } from './bytes.ts'
import { readOrientation, upright } from './orientation.ts'

const chunksStart = 12
const sideMask = 0x3f_ff
const isAnimated = 0x02

function readChunks(bytes: Uint8Array) {
  let frames = 0
  let orientation = 1
  for (let at = chunksStart; at < bytes.length;) {
    const length = u32le(bytes, at + 4)
    if (hasText(bytes, at, 'ANMF')) frames++
    if (hasText(bytes, at, 'EXIF')) orientation = readOrientation(bytes, at + 8, length)
    at += 8 + length + (length % 2)
  }
  return { frames, orientation }
}

export const readWebp: ReadHeader = (bytes) => {
  if (!hasText(bytes, 0, 'RIFF') || !hasText(bytes, 8, 'WEBP')) return undefined
  const data = chunksStart + 8
  if (hasText(bytes, chunksStart, 'VP8 ')) {
    if (!hasText(bytes, data + 3, '\x9d\x01\x2a')) return undefined
    return { width: u16le(bytes, data + 6) & sideMask, height: u16le(bytes, data + 8) & sideMask, frames: 1 }
  }
  if (hasText(bytes, chunksStart, 'VP8L')) {
    if (u8(bytes, data) !== 0x2f) return undefined
    const sides = u32le(bytes, data + 1)
    return { width: (sides & sideMask) + 1, height: ((sides >>> 14) & sideMask) + 1, frames: 1 }
  }
  if (hasText(bytes, chunksStart, 'VP8X')) {
    const { frames, orientation } = readChunks(bytes)
    const size = { width: u24le(bytes, data + 4) + 1, height: u24le(bytes, data + 7) + 1 }
    return upright({ ...size, frames: (u8(bytes, data) & isAnimated) === 0 ? 1 : frames }, orientation)
  }
  return undefined
}
