import type { Rgba } from '@bailiwick/contract'
import { cssOf, type Frame, frameOf, pipelineOf } from '../frame.ts'
import { checkSize } from '../limits.ts'

interface Extension {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
  readonly color: Rgba
}

/** @throws ImageError too_large */
export async function extend(frame: Frame, { top, bottom, left, right, color }: Extension): Promise<Frame> {
  checkSize({ width: frame.width + left + right, height: frame.height + top + bottom })
  return frameOf(pipelineOf(frame).extend({ top, bottom, left, right, background: cssOf(color) }))
}
