import { type Frame, channels, frameOf, isOpaque, pipelineOf } from '../frame.ts'

/** The share of the bell curve's height down to which it is used; libvips' own 0.2 cuts off its sides. */
const minAmplitude = 0.05
/** How large the sigma must stay in the reduced picture of the fast way, so that the result looks like the exact blur. */
const keptSigma = 4

const gaussian = (frame: Frame, sigma: number) => frameOf(pipelineOf(frame).blur({ sigma, minAmplitude }))

/** Blurs a reduced picture, which is faster; the details lost by reducing would be blurred anyway. */
async function reducedGaussian(frame: Frame, sigma: number, by: number): Promise<Frame> {
  const { width, height } = frame
  const small = { width: Math.ceil(width / by), height: Math.ceil(height / by) }
  const reduced = await frameOf(pipelineOf(frame).resize({ ...small, fit: 'fill' }))
  return frameOf(pipelineOf(await gaussian(reduced, sigma / by)).resize({ width, height, fit: 'fill' }))
}

/** A Gaussian blur. Its cost rises with the sigma, while that of the fast one falls. */
export async function blur(
  frame: Frame,
  { isFast, sigma }: { readonly isFast: boolean; readonly sigma: number },
): Promise<Frame> {
  const by = Math.min(Math.floor(sigma / keptSigma), frame.width, frame.height)
  const blurred = await (isFast && by > 1 ? reducedGaussian(frame, sigma, by) : gaussian(frame, sigma))
  // libvips' integer weights sum up to a little less than one, which must not make an opaque picture translucent.
  if (isOpaque(frame.data)) {
    for (let at = channels - 1; at < blurred.data.length; at += channels) blurred.data[at] = 255
  }
  return blurred
}
