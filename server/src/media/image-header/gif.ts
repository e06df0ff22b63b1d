import { type ReadHeader, hasText, u16le, u8 } from './bytes.ts'

const extension = 0x21
const image = 0x2c
const trailer = 0x3b

/** Returns the size of a colour table in bytes, from the flags of its block. */
const tableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1))

/** Returns where the blocks that start here end, or NaN if they do not end. */
function skipBlocks(bytes: Uint8Array, start: number): number {
  let at = start
  for (let length = u8(bytes, at); length > 0; length = u8(bytes, at)) at += 1 + length
  return u8(bytes, at) === 0 ? at + 1 : Number.NaN
}

/** A GIF does not state its number of frames, so all of it is walked. */
export const readGif: ReadHeader = (bytes) => {
  if (!hasText(bytes, 0, 'GIF87a') && !hasText(bytes, 0, 'GIF89a')) return undefined
  let width = u16le(bytes, 6)
  let height = u16le(bytes, 8)
  let frames = 0
  let at = 13 + tableBytes(u8(bytes, 10))
  while (at < bytes.length) {
    const kind = u8(bytes, at)
    if (kind === trailer) return { width, height, frames }
    if (kind === extension) at = skipBlocks(bytes, at + 2)
    else if (kind === image) {
      frames++
      // Some decoders enlarge the picture to hold all its frames.
      width = Math.max(width, u16le(bytes, at + 1) + u16le(bytes, at + 5))
      height = Math.max(height, u16le(bytes, at + 3) + u16le(bytes, at + 7))
      at = skipBlocks(bytes, at + 11 + tableBytes(u8(bytes, at + 9)))
    } else return undefined
  }
  return undefined
}
