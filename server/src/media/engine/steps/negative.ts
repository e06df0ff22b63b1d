import { type Frame, frameOf, pipelineOf } from '../frame.ts'

export const negative = (frame: Frame, { withAlpha }: { readonly withAlpha: boolean }) =>
  frameOf(pipelineOf(frame).negate({ alpha: withAlpha }))
