// Reads the orientation of a picture (EXIF 2.32 §4.6.4, tag 0x0112) from a TIFF structure (TIFF 6.0, section 2). It is stricter than
// image-header/orientation.ts, which must give an answer: unusual structures are left to the decoder, which turns the picture.

/** From 5 on, rows and columns are swapped. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const orientations: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8]
const orientationTag = 0x0112
const short = 3
const entryBytes = 12
/** Cameras write a few dozen entries; longer directories are left to the decoder. */
const entriesMax = 100

/** Returns 1 if the directory has no orientation, and undefined for anything that does not follow the specification exactly. */
export function exifOrientation(tiff: Buffer): Orientation | undefined {
  if (tiff.length < 8) return undefined
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return undefined
  const u16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const u32 = (at: number) => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const directory = u32(4)
  if (u16(2) !== 42 || directory < 8 || directory + 2 > tiff.length) return undefined
  const entries = u16(directory)
  const first = directory + 2
  if (entries > entriesMax || first + entries * entryBytes > tiff.length) return undefined
  const found = Array.from({ length: entries }, (_, index) => first + index * entryBytes).filter(
    (at) => u16(at) === orientationTag,
  )
  const [entry] = found
  if (entry === undefined) return 1
  if (found.length > 1 || u16(entry + 2) !== short || u32(entry + 4) !== 1) return undefined
  return orientations.find((orientation) => orientation === u16(entry + 8))
}
