import { type Frame, channels, frameOf, pipelineOf } from '../frame.ts'

/** Replaces colours by their luminance (Rec. 709 weights on linear light); the alpha stays. */
export async function grayscale(frame: Frame): Promise<Frame> {
  const grey = await frameOf(pipelineOf(frame).removeAlpha().grayscale())
  const { data } = grey
  for (let at = channels - 1; at < data.length; at += channels) data[at] = frame.data[at] ?? 255
  return grey
}
