// Resizes pictures to their box.
import type { Sharp } from 'sharp'
import { type Box, type Fit, type Size, fitInto, isSameSize } from './box.ts'
import { type Frame, channels, frameOf, pipelineOf } from './frame.ts'
import { sharp } from './libvips.ts'

interface Region extends Size {
  readonly left: number
  readonly top: number
}

/** Resizes one picture. If it is cropped, the most interesting part stays (libvips' attention: edges, skin tones, saturation). */
export function resizePicture(image: Sharp, size: Size, { scaled, cut }: Fit): Sharp {
  if (cut !== undefined) return image.resize({ ...cut, fit: 'cover', position: 'attention' })
  return isSameSize(size, scaled) ? image : image.resize({ ...scaled, fit: 'fill' })
}

async function salientRegion(first: Sharp, cut: Size): Promise<Region> {
  const { info } = await first
    .resize({ ...cut, fit: 'cover', position: 'attention' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  // sharp reports the offset of the picture, so with the opposite sign.
  return { ...cut, left: Math.abs(info.cropOffsetLeft ?? 0), top: Math.abs(info.cropOffsetTop ?? 0) }
}

/** Resizes all frames alike. The crop is decided on the first one, because otherwise the picture would jump. */
export async function resizeAnimation(
  image: Sharp,
  first: () => Sharp,
  size: Size,
  { scaled, cut }: Fit,
): Promise<Sharp> {
  const resized = isSameSize(size, scaled) ? image : image.resize({ ...scaled, fit: 'fill' })
  return cut === undefined ? resized : resized.extract(await salientRegion(first(), cut))
}

/** Resizes the frames again after the steps, unless they have the right size already. */
export async function resizeFrames(frames: readonly Frame[], box: Box): Promise<readonly Frame[]> {
  const [first] = frames
  if (first === undefined) return frames
  const fit = fitInto(first, box)
  if (isSameSize(first, fit.scaled) && fit.cut === undefined) return frames
  const region = fit.cut === undefined ? undefined : await salientRegion(pipelineOf(first), fit.cut)
  const out: Frame[] = []
  for (const frame of frames) {
    const scaled = await frameOf(pipelineOf(frame).resize({ ...fit.scaled, fit: 'fill' }))
    out.push(region === undefined ? scaled : await frameOf(pipelineOf(scaled).extract(region)))
  }
  return out
}

/** Joins frames into one animation. */
export function joinFrames(frames: readonly Frame[]): Sharp {
  const [first] = frames
  if (first === undefined) throw new RangeError('there are no frames')
  const { width, height } = first
  const [data, raw] = [
    Buffer.concat(frames.map((frame) => frame.data)),
    { width, height: height * frames.length, channels },
  ]
  return sharp(data, { raw: { ...raw, channels: 4, pageHeight: height } })
}

/** Splits an animation into its frames. */
export function splitFrames({ data, width, height }: Frame, count: number): Frame[] {
  const bytes = data.length / count
  return Array.from({ length: count }, (_, index) => ({
    data: data.subarray(index * bytes, (index + 1) * bytes),
    width,
    height: height / count,
  }))
}
