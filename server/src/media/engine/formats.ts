// The output formats: how one is chosen for a request, and what quality and compression mean to its encoder.
import type { OutputFormat } from '@bailiwick/contract'
import type { Sharp } from 'sharp'
import { webpSideMax } from './limits.ts'
import type { SourceKind } from './source-kind.ts'

export type EncodedFormat = Exclude<OutputFormat, 'auto'>

/** Both 0 to 100, as in a transformation. */
export interface Encoding {
  readonly quality: number
  readonly compression: number
}

export interface Timing {
  readonly delay: readonly number[]
  readonly loop: number
}

export const mediaTypes: Readonly<Record<EncodedFormat, string>> = {
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  png: 'image/png',
  svg: 'image/svg+xml',
  gif: 'image/gif',
}

const animatedFormats: ReadonlySet<EncodedFormat> = new Set(['gif', 'webp'])
export const canAnimate = (format: EncodedFormat): boolean => animatedFormats.has(format)

/** Larger AVIF pictures take seconds, and memory by the hundreds of megabytes. */
const largePixels = 4_000_000

const weightPattern = /^q=([01](?:\.\d*)?)$/

/**
 * Returns how much a type is wanted, 0 to 1 (RFC 9110 §12.4.2), simplified: only explicit mentions count, because every browser accepts
 * `image/*`.
 */
function weightOf(accept: string, mediaType: string): number {
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (type !== mediaType) continue
    const weight = parameters.map((parameter) => weightPattern.exec(parameter)?.[1]).find((each) => each !== undefined)
    return Math.min(1, Number(weight ?? 1))
  }
  return 0
}

/** How much each format is wanted, 0 to 1. */
interface Accepted {
  readonly avif: number
  readonly webp: number
}

/** Browsers send few different Accept headers, each with every request; invented ones are soon forgotten. */
const rememberedMax = 256
const rememberedLengthMax = 256
const remembered = new Map<string, Accepted>()

function acceptedBy(accept: string): Accepted {
  const known = remembered.get(accept)
  if (known !== undefined) return known
  const accepted = { avif: weightOf(accept, mediaTypes.avif), webp: weightOf(accept, mediaTypes.webp) }
  if (accept.length > rememberedLengthMax) return accepted
  if (remembered.size >= rememberedMax) remembered.clear()
  remembered.set(accept, accepted)
  return accepted
}

/**
 * Returns the format for `auto`: AVIF, WebP if AVIF is not accepted or less wanted, or else the source's kind. An animation never becomes
 * AVIF, which would lose its frames, nor does a large picture; a vector that needs no pixels stays a vector. `pixels` and `longerSide`
 * describe the output.
 */
export function negotiateFormat(
  accept: string | undefined,
  source: {
    readonly kind: SourceKind
    readonly isAnimated: boolean
    readonly needsPixels: boolean
    readonly pixels: number
    readonly longerSide: number
  },
): EncodedFormat {
  if (source.kind === 'svg' && !source.needsPixels) return 'svg'
  const accepted = acceptedBy(accept ?? '')
  const avif = source.isAnimated || source.pixels > largePixels ? 0 : accepted.avif
  const webp = source.longerSide > webpSideMax ? 0 : accepted.webp
  if (avif > 0 && avif >= webp) return 'avif'
  if (webp > 0) return 'webp'
  return source.kind === 'svg' ? 'png' : source.kind
}

const scale = (percent: number, [from, to]: readonly [number, number]) =>
  from + Math.round((percent / 100) * (to - from))
/** From this value on, JPEG searches for the smallest scans (mozjpeg), or keeps all its colour detail. */
const jpegSearchCompression = 50
const jpegFullColourQuality = 90
/** What encoders call effort. Large pictures get less of it, because libaom's maximum would take minutes. */
const efforts = {
  usual: { webp: [0, 6], avif: [0, 4], gif: [1, 10] },
  large: { webp: [0, 4], avif: [0, 1], gif: [1, 3] },
} as const

/** What is known about the encoder's input. */
export interface EncodedImage {
  readonly pixels: number
  readonly isOpaque: boolean
  readonly timing: Timing | undefined
}

/** Configures the encoder. Quality does not affect PNG, which is lossless; compression is the encoder's effort. */
export function encode(
  image: Sharp,
  format: Exclude<EncodedFormat, 'svg'>,
  { quality, compression }: Encoding,
  { pixels, isOpaque, timing }: EncodedImage,
): Sharp {
  const effort = pixels > largePixels ? efforts.large : efforts.usual
  const animation = timing === undefined ? {} : { delay: [...timing.delay], loop: timing.loop }
  const lossy = { quality: Math.max(1, Math.round(quality)) }
  switch (format) {
    case 'jpeg':
      return (isOpaque ? image : image.flatten({ background: '#fff' })).jpeg({
        ...lossy,
        mozjpeg: compression >= jpegSearchCompression,
        chromaSubsampling: quality >= jpegFullColourQuality ? '4:4:4' : '4:2:0',
      })
    case 'webp':
      return image.webp({ ...lossy, effort: scale(compression, effort.webp), ...animation })
    case 'avif':
      return image.avif({ ...lossy, effort: scale(compression, effort.avif) })
    case 'png':
      return image.png({ compressionLevel: scale(compression, [0, 9]) })
    case 'gif':
      return image.gif({ colours: scale(quality, [2, 256]), effort: scale(compression, effort.gif), ...animation })
  }
}
