// Pictures made pixel by pixel, and the engine's results, checked pixel by pixel.
import type { TransformationStep } from '@bailiwick/contract'
import sharp, { type SharpOptions } from 'sharp'
import { type ImageDefinition, planImage } from '../../../src/media/engine/definition.ts'
import type { MadeImage } from '../../../src/media/engine/engine.ts'
import type { EncodedFormat } from '../../../src/media/engine/formats.ts'
import type { ImagePool } from '../../../src/media/engine/workers/pool.ts'

export type Pixel = readonly [number, number, number, number]

export type Paint = (x: number, y: number) => Pixel

export interface Picture {
  readonly width: number
  readonly height: number
  readonly at: Paint
}

export const red: Pixel = [255, 0, 0, 255]
export const green: Pixel = [0, 255, 0, 255]
export const blue: Pixel = [0, 0, 255, 255]
export const white: Pixel = [255, 255, 255, 255]
export const black: Pixel = [0, 0, 0, 255]
export const clear: Pixel = [0, 0, 0, 0]

export const drawn = (width: number, height: number, paint: Paint): Picture => ({ width, height, at: paint })

/** Every pixel differs: no two are alike within a few hundred. */
export const patchwork: Paint = (x, y) => [(x * 37 + 11) % 256, (y * 53 + 7) % 256, (x * 91 + y * 17) % 256, 255]

function bytesOf({ width, height, at }: Picture): Buffer {
  const data = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(at(x, y), (y * width + x) * 4)
  return data
}

/** In the form that sharp accepts, to be encoded as a test needs it. */
export const raw = (picture: Picture) =>
  sharp(bytesOf(picture), { raw: { width: picture.width, height: picture.height, channels: 4 } })

export const png = (picture: Picture): Promise<Buffer> => raw(picture).png().toBuffer()

/** Frames below each other in one animation. */
export function animation(frames: readonly Picture[]) {
  const [first] = frames
  if (first === undefined) throw new RangeError('no frames')
  const { width, height } = first
  const data = Buffer.concat(frames.map(bytesOf))
  return sharp(data, { raw: { width, height: height * frames.length, channels: 4, pageHeight: height } })
}

export async function decoded(bytes: Uint8Array, options: SharpOptions = {}): Promise<Picture> {
  const { data, info } = await sharp(bytes, options).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const at = (x: number, y: number): Pixel => {
    if (x < 0 || y < 0 || x >= width || y >= height) throw new RangeError(`no pixel at ${x},${y}`)
    const start = (y * width + x) * channels
    const [r = 0, g = 0, b = 0, a = 0] = data.subarray(start, start + channels)
    return channels === 2 ? [r, r, r, g] : [r, g, b, a]
  }
  return { width, height, at }
}

export const definition = (changes: Partial<ImageDefinition> = {}): ImageDefinition => ({
  outputFormat: 'auto',
  outputQuality: 90,
  outputCompression: 0,
  outputWidth: 0,
  outputHeight: 0,
  outputResizeMode: 'maximum',
  steps: [],
  ...changes,
})

interface Making {
  readonly format?: EncodedFormat
  readonly layers?: ReadonlyMap<string, Uint8Array>
  readonly isSvg?: boolean
  readonly owner?: string
}

export const make = (
  pool: ImagePool,
  source: Uint8Array,
  changes: Partial<ImageDefinition> = {},
  { format = 'png', layers = new Map(), isSvg = false, owner = 'tenant' }: Making = {},
): Promise<MadeImage> => pool.make(owner, { source, isSvg, plan: planImage(definition(changes)), format, layers })

/** The pixels that the steps make from a picture. */
export async function stepped(
  pool: ImagePool,
  picture: Picture,
  steps: readonly TransformationStep[],
  layers?: ReadonlyMap<string, Uint8Array>,
): Promise<Picture> {
  const made = await make(pool, await png(picture), { steps: [...steps] }, layers === undefined ? {} : { layers })
  return decoded(made.data)
}

/** Returns the first pixel that differs from the expected one by more than allowed; undefined if there is none. */
export function difference(actual: Picture, expected: Picture, allowed = 0): string | undefined {
  if (actual.width !== expected.width || actual.height !== expected.height) {
    return `${actual.width}x${actual.height} instead of ${expected.width}x${expected.height}`
  }
  for (let y = 0; y < expected.height; y++) {
    for (let x = 0; x < expected.width; x++) {
      const [is, should] = [actual.at(x, y), expected.at(x, y)]
      // The colour of an invisible pixel does not matter.
      const isUnseen = is[3] === 0 && should[3] === 0
      const isNear = is.every((channel, index) => Math.abs(channel - (should[index] ?? 0)) <= allowed)
      if (!isUnseen && !isNear) return `at ${x},${y}: ${is.join(' ')} instead of ${should.join(' ')}`
    }
  }
  return undefined
}
