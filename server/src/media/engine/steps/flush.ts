import { type Frame, frameOf, pipelineOf } from '../frame.ts'

/** Swaps left and right. */
export const flush = (frame: Frame) => frameOf(pipelineOf(frame).flop())
