// Reads what an image claims about itself before anything decodes it: the first protection against pictures that unpack to gigabytes.
// Accepts any bytes, takes time in proportion to their number, and never throws.
import type { ImageMime } from '@bailiwick/contract'
import { readAvif } from './avif.ts'
import type { ImageSize, ReadHeader } from './bytes.ts'
import { readGif } from './gif.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readSvg } from './svg.ts'
import { readWebp } from './webp.ts'

export type ImageHeader = ImageSize & { readonly mime: ImageMime }

const readers: readonly (readonly [ImageMime, ReadHeader])[] = [
  ['image/jpeg', readJpeg],
  ['image/png', readPng],
  ['image/webp', readWebp],
  ['image/gif', readGif],
  ['image/avif', readAvif],
  ['image/svg+xml', readSvg],
]

const isSide = (side: number | null) => side === null || (Number.isSafeInteger(side) && side > 0)

/** Returns the header of an image of one of the six kinds, or undefined for everything else, and for damaged images. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  for (const [mime, read] of readers) {
    const size = read(bytes)
    if (size === undefined) continue
    const isWhole = isSide(size.width) && isSide(size.height) && Number.isSafeInteger(size.frames) && size.frames > 0
    return isWhole ? { mime, ...size } : undefined
  }
  return undefined
}
