import type { Rgba } from '@bailiwick/contract'
import { turnedSize } from '../box.ts'
import { type Frame, cssOf, frameOf, pipelineOf } from '../frame.ts'
import { checkSize } from '../limits.ts'

interface Rotation {
  /** Clockwise. */
  readonly degrees: number
  readonly background: Rgba
}

/**
 * Rotates a picture. Quarter turns move pixels; any other turn interpolates, and uncovered areas are filled.
 * @throws ImageError too_large
 */
export async function rotate(frame: Frame, { degrees, background }: Rotation): Promise<Frame> {
  if (degrees % 360 === 0) return frame
  checkSize(turnedSize(frame, degrees))
  return frameOf(pipelineOf(frame).rotate(degrees, { background: cssOf(background) }))
}

/** Swaps top and bottom. */
export const flip = (frame: Frame) => frameOf(pipelineOf(frame).flip())

/** Swaps left and right. */
export const flush = (frame: Frame) => frameOf(pipelineOf(frame).flop())
