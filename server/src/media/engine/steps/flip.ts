import { type Frame, frameOf, pipelineOf } from '../frame.ts'

/** Top to bottom. */
export const flip = (frame: Frame) => frameOf(pipelineOf(frame).flip())
