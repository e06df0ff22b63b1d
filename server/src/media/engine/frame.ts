// One picture as the steps use it: eight bits for each channel, sRGB, not premultiplied.
import type { Rgba } from '@bailiwick/contract'
import type { Sharp } from 'sharp'
import type { Size } from './box.ts'
import { sharp } from './libvips.ts'
import { pixelsMax } from './limits.ts'

export interface Frame extends Size {
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly data: Buffer
}

/** A colour in sharp's form. */
export const cssOf = ([r, g, b, alpha]: Rgba) => ({ r, g, b, alpha: alpha / 255 })

export const channels = 4 as const

export const pipelineOf = ({ data, width, height }: Frame): Sharp =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: pixelsMax })

/** Pipelines of grey pictures can end with one or two channels; a frame always has four. */
function withFourChannels(data: Buffer, found: number): Buffer {
  if (found === channels) return data
  const count = data.length / found
  const out = Buffer.alloc(count * channels, 255)
  for (let pixel = 0; pixel < count; pixel++) {
    const from = pixel * found
    const to = pixel * channels
    const grey = data[from] ?? 0
    out[to] = grey
    out[to + 1] = found < 3 ? grey : (data[from + 1] ?? 0)
    out[to + 2] = found < 3 ? grey : (data[from + 2] ?? 0)
    if (found === 2) out[to + 3] = data[from + 1] ?? 255
  }
  return out
}

/** Runs the pipeline. */
export async function frameOf(pipeline: Sharp): Promise<Frame> {
  const { data, info } = await pipeline.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data: withFourChannels(data, info.channels), width: info.width, height: info.height }
}

export function isOpaque(data: Buffer): boolean {
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return false
  return true
}
