import { type ImageSize, type ReadHeader, hasText, u16be, u8 } from './bytes.ts'
import { readOrientation, upright } from './orientation.ts'

/** C0 to CF begin a frame, except for the tables (C4, CC) and the reserved C8: ITU-T T.81, table B.1. */
const isStartOfFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const standsAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
const startOfImage = 0xffd8
const endOfImage = 0xd9
const startOfScan = 0xda

const application1 = 0xe1

export const readJpeg: ReadHeader = (bytes) => {
  if (u16be(bytes, 0) !== startOfImage) return undefined
  let size: ImageSize | undefined
  let orientation = 1
  for (let at = 2; u8(bytes, at) === 0xff;) {
    const marker = u8(bytes, at + 1)
    // Any number of FF may precede a marker.
    if (marker === 0xff) at++
    else if (standsAlone(marker)) at += 2
    else if (marker === endOfImage || marker === startOfScan) break
    else {
      const length = u16be(bytes, at + 2)
      if (!(length >= 2)) break
      if (isStartOfFrame(marker)) size ??= { height: u16be(bytes, at + 5), width: u16be(bytes, at + 7), frames: 1 }
      else if (marker === application1 && hasText(bytes, at + 4, 'Exif')) {
        orientation = readOrientation(bytes, at + 4, length - 2)
      }
      at += 2 + length
    }
  }
  return size && upright(size, orientation)
}
