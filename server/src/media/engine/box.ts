// The geometry of resizing, without pixels.
import type { ResizeMode } from '@bailiwick/contract'
import type { PlanStep } from './definition.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

/** The requested size. A side of 0 follows from the other by the image's ratio; two zeros mean the image's own size. */
export interface Box extends Size {
  readonly mode: ResizeMode
}

export interface Fit {
  readonly scaled: Size
  /** The part to cut out of the scaled image, if the mode crops. */
  readonly cut: Size | undefined
}

const whole = (value: number) => Math.max(1, Math.round(value))

const scaledBy = ({ width, height }: Size, factor: number): Size => ({
  width: whole(width * factor),
  height: whole(height * factor),
})

export const isSameSize = (one: Size, other: Size): boolean => one.width === other.width && one.height === other.height

/** Returns how an image of that size is fitted into the box. */
export function fitInto(size: Size, { width, height, mode }: Box): Fit {
  if (width === 0 && height === 0) return { scaled: size, cut: undefined }
  const factors = [width / size.width, height / size.height].filter((factor) => factor > 0)
  const [smallest, largest] = [Math.min(...factors), Math.max(...factors)]
  if (mode === 'maximum') return { scaled: scaledBy(size, Math.min(1, smallest)), cut: undefined }
  if (width === 0 || height === 0 || mode === 'minimum') return { scaled: scaledBy(size, largest), cut: undefined }
  const box = { width, height }
  if (mode === 'stretch') return { scaled: box, cut: undefined }
  const scaled = scaledBy(size, largest)
  return { scaled, cut: isSameSize(scaled, box) ? undefined : box }
}

export const fittedSize = ({ scaled, cut }: Fit): Size => cut ?? scaled

/** Returns how much larger an image becomes by a rotation, in the box that holds all of it. */
export function turnedSize({ width, height }: Size, degrees: number): Size {
  const angle = (degrees * Math.PI) / 180
  const [sine, cosine] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))]
  return { width: whole(width * cosine + height * sine), height: whole(width * sine + height * cosine) }
}

const less = (side: number, taken: number) => (side === 0 ? 0 : Math.max(1, side - taken))

/**
 * Returns the box for the image before the steps, so that it has the requested size after them: steps work on the pixels of the output, and
 * what they add is part of its size.
 */
export function boxBeforeSteps(box: Box, steps: readonly PlanStep[]): Box {
  return steps.reduceRight<Box>((after, step) => {
    if (step.type === 'extend') {
      return {
        ...after,
        width: less(after.width, step.left + step.right),
        height: less(after.height, step.top + step.bottom),
      }
    }
    if (step.type === 'rotate' && Math.abs(step.degrees % 180) === 90) {
      return { ...after, width: after.height, height: after.width }
    }
    return after
  }, box)
}
