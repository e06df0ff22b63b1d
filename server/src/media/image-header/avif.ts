// Reads boxes of the ISO base media file format (ISO/IEC 14496-12) as AVIF uses them.
import { type ReadHeader, hasText, u32be, u8 } from './bytes.ts'
import { upright } from './orientation.ts'

const boxesMax = 10_000
const depthMax = 8
/** Boxes that contain boxes, and how many bytes come before those. */
const containers: Readonly<Record<string, number>> = {
  meta: 4,
  iprp: 0,
  ipco: 0,
  moov: 0,
  trak: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
}
const brands = ['avif', 'avis']

interface Found {
  width: number
  height: number
  frames: number
  boxes: number
  isOnItsSide: boolean
}

const typeOf = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at + 4, at + 8))

/** Finds the largest picture and the longest track: whichever of them a decoder takes is no larger. */
function walk(bytes: Uint8Array, start: number, end: number, depth: number, found: Found) {
  let at = start
  while (at + 8 <= end) {
    if (++found.boxes > boxesMax) return
    const declared = u32be(bytes, at)
    // 0 means until the end; 1 means that a 64-bit size follows, which only media data needs.
    const size = declared === 0 ? end - at : declared === 1 ? u32be(bytes, at + 12) : declared
    if (!(size >= 8)) return
    const type = typeOf(bytes, at)
    const inside = containers[type]
    if (type === 'ispe') {
      found.width = Math.max(found.width, u32be(bytes, at + 12))
      found.height = Math.max(found.height, u32be(bytes, at + 16))
    } else if (type === 'irot') {
      // Quarter turns (ISO/IEC 23008-12 §6.5.10).
      found.isOnItsSide ||= (u8(bytes, at + 8) & 1) === 1
    } else if (type === 'stsz') {
      found.frames = Math.max(found.frames, u32be(bytes, at + 16))
    } else if (inside !== undefined && depth < depthMax) {
      walk(bytes, at + 8 + inside, Math.min(at + size, end), depth + 1, found)
    }
    at += size
  }
}

export const readAvif: ReadHeader = (bytes) => {
  if (!hasText(bytes, 4, 'ftyp')) return undefined
  const end = Math.min(u32be(bytes, 0), 256, bytes.length)
  let isAvif = false
  // The major brand, a version, then the compatible brands.
  for (let at = 8; at + 4 <= end; at += 4) isAvif ||= at !== 12 && brands.some((brand) => hasText(bytes, at, brand))
  if (!isAvif) return undefined
  const found: Found = { width: 0, height: 0, frames: 1, boxes: 0, isOnItsSide: false }
  walk(bytes, 0, bytes.length, 0, found)
  if (found.boxes > boxesMax || found.width === 0) return undefined
  const { width, height, frames, isOnItsSide } = found
  return upright({ width, height, frames }, isOnItsSide ? 6 : 1)
}
