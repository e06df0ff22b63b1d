import type { LayerStep } from '../definition.ts'
import type { Frame } from '../frame.ts'
import { frameOf } from '../frame.ts'
import { place } from '../place.ts'
import { fitInto, fittedSize } from '../box.ts'
import { checkSize } from '../limits.ts'
import { resizePicture } from '../resize.ts'
import { openSource, picturePipeline } from '../source.ts'
import { rotate } from './rotate.ts'

const transparent = [0, 0, 0, 0] as const

/**
 * What is laid on: the first frame of another image, in its box and turned.
 * @throws ImageError of the layer's own bytes
 */
export async function layerOverlay({ box, degrees }: LayerStep, bytes: Buffer): Promise<Frame> {
  const source = await openSource(bytes, false)
  const fit = fitInto(source, box)
  checkSize(fittedSize(fit))
  const frame = await frameOf(resizePicture(picturePipeline(source, box), source, fit))
  return rotate(frame, { degrees, background: transparent })
}

export const layer = (frame: Frame, { placement }: LayerStep, overlay: Frame) => place(frame, overlay, placement)
