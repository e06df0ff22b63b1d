// Reads the size of a JPEG picture without its decoder, whose set-up takes as long as reading a photograph's header. Anything ambiguous is
// left to the decoder.
import { u16be, u8 } from '../image-header/bytes.ts'
import type { Size } from './box.ts'
import { type Orientation, exifOrientation } from './exif-orientation.ts'

export interface JpegHeader extends Size {
  /** Undefined if the file contains no orientation at all. */
  readonly orientation: Orientation | undefined
}

const markers = {
  quantization: 0xdb,
  huffman: 0xc4,
  restart: 0xdd,
  comment: 0xfe,
  application: 0xe0,
  exif: 0xe1,
} as const
/** Baseline, extended sequential and progressive: ITU-T T.81, table B.1. */
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])
const passed: ReadonlySet<number> = new Set([
  markers.quantization,
  markers.huffman,
  markers.restart,
  markers.comment,
  ...Array.from({ length: 16 }, (_, index) => markers.application + index),
])
const bitsOfSample = 8

/** T.81 §B.2.2. One channel or three; others are CMYK or need the decoder. */
function frameSize(bytes: Uint8Array, at: number): Size | undefined {
  const [height, width, channels] = [u16be(bytes, at + 3), u16be(bytes, at + 5), u8(bytes, at + 7)]
  const isPlain = u8(bytes, at + 2) === bitsOfSample && (channels === 1 || channels === 3)
  return isPlain && width > 0 && height > 0 ? { width, height } : undefined
}

const exifName = 'Exif\0\0'
const isExif = (segment: Buffer) => segment.toString('latin1', 0, exifName.length) === exifName

/** Returns undefined if the decoder has to be asked. */
export function readJpegHeader(bytes: Buffer): JpegHeader | undefined {
  let orientation: Orientation | undefined
  for (let at = 2; u8(bytes, at) === 0xff;) {
    const marker = u8(bytes, at + 1)
    const length = u16be(bytes, at + 2)
    const segment = at + 2
    at = segment + length
    // Never reads beyond the end, or from a segment that reaches that far.
    if (!(length >= 2 && at <= bytes.length)) return undefined
    if (frames.has(marker)) {
      const size = frameSize(bytes, segment)
      return size === undefined ? undefined : { ...size, orientation }
    }
    if (!passed.has(marker)) return undefined
    if (marker !== markers.exif) continue
    const content = bytes.subarray(segment + 2, at)
    if (!isExif(content)) continue
    if (orientation !== undefined) return undefined
    orientation = exifOrientation(content.subarray(exifName.length))
    if (orientation === undefined) return undefined
  }
  return undefined
}
