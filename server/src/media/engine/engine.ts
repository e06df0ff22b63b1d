// Makes one image from another by a plan. Runs in the workers.
import type { Sharp } from 'sharp'
import { StepRun, type LayerBytes } from './apply-steps.ts'
import { boxBeforeSteps, fitInto, fittedSize } from './box.ts'
import type { Plan } from './definition.ts'
import { type EncodedFormat, canAnimate, encode, mediaTypes } from './formats.ts'
import { type Frame, frameOf, isOpaque } from './frame.ts'
import { ImageError } from './image-error.ts'
import { checkSize } from './limits.ts'
import { joinFrames, resizeAnimation, resizeFrames, resizePicture, splitFrames } from './resize.ts'
import { type OpenSource, animationPipeline, openSource, picturePipeline } from './source.ts'

export interface ImageRequest {
  readonly source: Buffer
  /** Only for bytes that have been sanitised as SVG. */
  readonly isSvg: boolean
  readonly plan: Plan
  readonly format: EncodedFormat
  readonly layers: LayerBytes
  /** The addresses of the layers whose bytes have been sanitised as SVG and are drawn as such. */
  readonly svgLayers?: ReadonlySet<string>
}

export interface MadeImage {
  readonly data: Buffer
  readonly format: EncodedFormat
  readonly mediaType: string
  readonly width: number
  readonly height: number
  readonly frames: number
}

export const stepsMax = 16

const isAnimated = (source: OpenSource, format: EncodedFormat) => source.frames > 1 && canAnimate(format)

/** Decoded and resized, before any steps. */
async function resized(source: OpenSource, plan: Plan, animated: boolean): Promise<Sharp> {
  const box = boxBeforeSteps(plan.box, plan.steps)
  const fit = fitInto(source, box)
  checkSize(fittedSize(fit), animated ? source.frames : 1)
  const first = () => picturePipeline(source, box)
  return animated ? resizeAnimation(animationPipeline(source), first, source, fit) : resizePicture(first(), source, fit)
}

async function processed(
  source: OpenSource,
  { plan, layers, svgLayers }: ImageRequest,
  animated: boolean,
): Promise<Sharp> {
  const pipeline = await resized(source, plan, animated)
  if (plan.steps.length === 0) return pipeline
  const run = new StepRun(layers, svgLayers)
  const frames: Frame[] = []
  for (const frame of splitFrames(await frameOf(pipeline), animated ? source.frames : 1)) {
    frames.push(await run.apply(frame, plan.steps))
    const [first] = frames
    if (first !== undefined) checkSize(first, animated ? source.frames : 1)
  }
  const last = await resizeFrames(frames, plan.box)
  const joined = joinFrames(last)
  return last.every(({ data }) => isOpaque(data)) ? joined.removeAlpha() : joined
}

/** Returns an SVG document that contains the picture. */
const wrapped = (data: Buffer, mediaType: string, width: number, height: number): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
      `<image width="${width}" height="${height}" href="data:${mediaType};base64,${data.toString('base64')}"/></svg>`,
  )

/**
 * Applies a plan: upright and in sRGB, resized, the steps in order, encoded, without metadata.
 * @throws ImageError unsupported, unreadable, too_large; sharp's own errors if decoding fails
 */
export async function makeImage(request: ImageRequest): Promise<MadeImage> {
  const { plan, format } = request
  if (plan.steps.length > stepsMax) throw new ImageError('too_large', `There must be at most ${stepsMax} steps.`)
  const source = await openSource(request.source, request.isSvg)
  const animated = isAnimated(source, format)
  const image = await processed(source, request, animated)
  const pixels = fitInto(source, plan.box).scaled
  const raster = format === 'svg' ? 'png' : format
  const encoder = encode(image, raster, plan.encoding, {
    pixels: pixels.width * pixels.height,
    // The encoder determines this after the steps.
    isOpaque: !source.hasAlpha && plan.steps.length === 0,
    timing: animated ? source.timing : undefined,
  })
  const { data, info } = await encoder.toBuffer({ resolveWithObject: true })
  const { width } = info
  const height = animated ? (info.pageHeight ?? info.height) : info.height
  const made = { format, mediaType: mediaTypes[format], width, height, frames: animated ? source.frames : 1 }
  return { ...made, data: format === 'svg' ? wrapped(data, mediaTypes[raster], width, height) : data }
}
