import { type Frame, frameOf, pipelineOf } from '../frame.ts'

/** Left to right. */
export const flush = (frame: Frame) => frameOf(pipelineOf(frame).flop())
