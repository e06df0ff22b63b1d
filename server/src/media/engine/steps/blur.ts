import { type Frame, channels, frameOf, isOpaque, pipelineOf } from '../frame.ts'

/** What of the bell's height is still reckoned with: libvips' own 0.2 leaves its sides out. */
const minAmplitude = 0.05
/** As much of the sigma as the smaller picture of the fast way must keep to come out like the exact blur. */
const keptSigma = 4

const gaussian = (frame: Frame, sigma: number) => frameOf(pipelineOf(frame).blur({ sigma, minAmplitude }))

/** A smaller picture is blurred less: what it leaves out, the blur takes away, too. */
async function reducedGaussian(frame: Frame, sigma: number, by: number): Promise<Frame> {
  const { width, height } = frame
  const small = { width: Math.ceil(width / by), height: Math.ceil(height / by) }
  const reduced = await frameOf(pipelineOf(frame).resize({ ...small, fit: 'fill' }))
  return frameOf(pipelineOf(await gaussian(reduced, sigma / by)).resize({ width, height, fit: 'fill' }))
}

/** A Gaussian blur, whose cost rises with the sigma, while that of the fast one falls. */
export async function blur(
  frame: Frame,
  { isFast, sigma }: { readonly isFast: boolean; readonly sigma: number },
): Promise<Frame> {
  const by = Math.min(Math.floor(sigma / keptSigma), frame.width, frame.height)
  const blurred = await (isFast && by > 1 ? reducedGaussian(frame, sigma, by) : gaussian(frame, sigma))
  // libvips' whole-numbered weights sum up to a little less than one, which an opaque picture must not show.
  if (isOpaque(frame.data)) {
    for (let at = channels - 1; at < blurred.data.length; at += channels) blurred.data[at] = 255
  }
  return blurred
}
