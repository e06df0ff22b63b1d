import { type Frame, frameOf, pipelineOf } from '../frame.ts'

interface Modulation {
  readonly brightness: number
  readonly saturation: number
  readonly hue: number
  readonly lightness: number
}

/** Works in CIE LCh: lightness times `brightness` plus `lightness`, chroma times `saturation`, hue rotated. */
export const modulate = (frame: Frame, { brightness, saturation, hue, lightness }: Modulation) =>
  frameOf(pipelineOf(frame).modulate({ brightness, saturation, hue, lightness }))
