import { type Frame, frameOf, pipelineOf } from '../frame.ts'

/** Swaps top and bottom. */
export const flip = (frame: Frame) => frameOf(pipelineOf(frame).flip())

/** Swaps left and right. */
export const flush = (frame: Frame) => frameOf(pipelineOf(frame).flop())
