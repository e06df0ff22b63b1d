import { type Box, fitInto, fittedSize } from '../box.ts'
import type { LayerStep } from '../definition.ts'
import { type Frame, frameOf } from '../frame.ts'
import { ImageError } from '../image-error.ts'
import { checkSize } from '../limits.ts'
import { place } from '../place.ts'
import { resizePicture } from '../resize.ts'
import { openSource, picturePipeline } from '../source.ts'
import { rotate } from './orientation.ts'

const transparent = [0, 0, 0, 0] as const

async function drawn(bytes: Buffer, isSvg: boolean, box: Box): Promise<Frame> {
  const source = await openSource(bytes, isSvg)
  const fit = fitInto(source, box)
  checkSize(fittedSize(fit))
  return frameOf(resizePicture(picturePipeline(source, box), source, fit))
}

/** Reports that the problem is in a layer and not in the image itself. Decoders throw plain errors. */
function ofLayer(error: unknown): unknown {
  if (error instanceof ImageError) return new ImageError(error.code, `A layer cannot be drawn. ${error.message}`)
  if (!(error instanceof Error) || error.constructor !== Error || 'syscall' in error) return error
  return new ImageError('unreadable', 'A layer is damaged, or its content does not match its format.', { cause: error })
}

/**
 * Returns the overlay: the first frame of another image, resized to its box and rotated.
 * @throws ImageError about the layer's own bytes
 */
export async function layerOverlay({ box, degrees }: LayerStep, bytes: Buffer, isSvg: boolean): Promise<Frame> {
  const frame = await drawn(bytes, isSvg, box).catch((error: unknown) => {
    throw ofLayer(error)
  })
  return rotate(frame, { degrees, background: transparent })
}

export const layer = (frame: Frame, { placement }: LayerStep, overlay: Frame) => place(frame, overlay, placement)
