// Opens untrusted images. Everything is checked on the header before pixels are touched, as read by the decoder itself or by a reader that
// only accepts what the decoder reads alike.
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { type Size, fitInto, type Box } from './box.ts'
import type { Timing } from './formats.ts'
import { ImageError } from './image-error.ts'
import { type JpegHeader, readJpegHeader } from './jpeg-header.ts'
import { sharp } from './libvips.ts'
import { checkSize, pixelsMax, sourceBytesMax } from './limits.ts'
import { type SourceKind, rasterKind } from './source-kind.ts'

/** The content of the header; the size is that of the upright picture, or of one frame. */
export interface ImageInfo extends Size {
  readonly kind: SourceKind
  readonly frames: number
  readonly hasAlpha: boolean
}

export interface OpenSource extends ImageInfo {
  readonly bytes: Buffer
  /** Opened once for the header and the pixels, so that it need not be set up again. */
  readonly opened: Sharp
  readonly timing: Timing | undefined
  /** Whether nothing in the file can cause a rotation. */
  readonly isUpright: boolean
}

/** librsvg's own resolution: one user unit is one pixel. */
const svgDensity = 72
const svgDensityMax = 7200

const safely = { failOn: 'error', limitInputPixels: pixelsMax, unlimited: false } as const satisfies SharpOptions

const sizeOf = ({ autoOrient, width, pageHeight, pages = 1 }: Metadata): Size =>
  pages > 1 && pageHeight !== undefined ? { width, height: pageHeight } : autoOrient

const isOverLimit = (error: unknown) => error instanceof Error && error.message.includes('pixel limit')

/** libvips reports no size when it refuses an image, so the header is read again without the limit, for our own check to report it. */
async function metadataOf(opened: Sharp, bytes: Buffer): Promise<Metadata> {
  try {
    return await opened.metadata()
  } catch (error) {
    if (!isOverLimit(error)) throw error
    return sharp(bytes, { ...safely, limitInputPixels: false, density: svgDensity }).metadata()
  }
}

const uprightSize = ({ width, height, orientation = 1 }: JpegHeader): Size =>
  orientation > 4 ? { width: height, height: width } : { width, height }

/** The most that sharp can write, as milliseconds or as loops; files may contain more. */
const timingMax = 65_535
const writable = (value: number) => Math.min(timingMax, value)

const timingOf = ({ delay = [], loop = 0 }: Metadata): Timing => ({ delay: delay.map(writable), loop: writable(loop) })

/** @throws ImageError unsupported, unreadable, too_large */
export async function openSource(bytes: Buffer, isSvg: boolean): Promise<OpenSource> {
  const kind = isSvg ? 'svg' : rasterKind(bytes)
  if (kind === undefined) throw new ImageError('unsupported', 'The file is not a JPEG, PNG, WebP, GIF or AVIF image.')
  if (bytes.length > sourceBytesMax) {
    throw new ImageError('too_large', `The image has ${bytes.length} bytes; the maximum is ${sourceBytesMax}.`)
  }
  const opened = sharp(bytes, kind === 'svg' ? { ...safely, density: svgDensity } : safely)
  const header = kind === 'jpeg' ? readJpegHeader(bytes) : undefined
  if (header !== undefined) {
    const size = uprightSize(header)
    checkSize(size)
    const isUpright = header.orientation === undefined
    return { bytes, opened, kind, ...size, frames: 1, hasAlpha: false, timing: undefined, isUpright }
  }
  const metadata = await metadataOf(opened, bytes)
  // Several pictures in one AVIF file are not frames: only the first counts.
  const frames = kind === 'gif' || kind === 'webp' ? (metadata.pages ?? 1) : 1
  const size = sizeOf(metadata)
  checkSize(size, frames)
  const timing = frames > 1 ? timingOf(metadata) : undefined
  return { bytes, opened, kind, ...size, frames, hasAlpha: metadata.hasAlpha, timing, isUpright: false }
}

/** The frames of an animation one below the other, as sharp takes them. */
export const animationPipeline = ({ bytes }: OpenSource): Sharp => sharp(bytes, { ...safely, animated: true })

/**
 * Returns the picture, or the first frame, upright. A vector is drawn so finely that nothing needs to be enlarged to fill the box. May be
 * called once for each source, because options of a pipeline stay with it.
 */
export function picturePipeline(source: OpenSource, box: Box): Sharp {
  if (source.isUpright) return source.opened
  if (source.kind !== 'svg') return source.opened.autoOrient()
  const { scaled } = fitInto(source, box)
  const finer = Math.max(1, scaled.width / source.width, scaled.height / source.height)
  const density = Math.min(svgDensityMax, svgDensity * finer)
  checkSize({ width: source.width * (density / svgDensity), height: source.height * (density / svgDensity) })
  return sharp(source.bytes, { ...safely, density })
}
