import { type Frame, channels, frameOf, pipelineOf } from '../frame.ts'

/** Replaces colours by their luminance (Rec. 709 weights on linear light); the alpha stays. */
export async function grayscale(frame: Frame): Promise<Frame> {
  const grey = await frameOf(pipelineOf(frame).removeAlpha().grayscale())
  const { data } = grey
  for (let at = channels - 1; at < data.length; at += channels) data[at] = frame.data[at] ?? 255
  return grey
}

export const negative = (frame: Frame, { withAlpha }: { readonly withAlpha: boolean }) =>
  frameOf(pipelineOf(frame).negate({ alpha: withAlpha }))

interface Modulation {
  readonly brightness: number
  readonly saturation: number
  readonly hue: number
  readonly lightness: number
}

/** Works in CIE LCh: lightness times `brightness` plus `lightness`, chroma times `saturation`, hue rotated. */
export const modulate = (frame: Frame, { brightness, saturation, hue, lightness }: Modulation) =>
  frameOf(pipelineOf(frame).modulate({ brightness, saturation, hue, lightness }))
