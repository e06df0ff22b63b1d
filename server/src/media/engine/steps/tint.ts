import type { Rgba } from '@bailiwick/contract'
import { cssOf, type Frame, channels, frameOf, pipelineOf } from '../frame.ts'

/** Applies the colour's chroma to the picture's luminance, mixed with the picture by the opacity. */
export async function tint(
  frame: Frame,
  { color, opacity }: { readonly color: Rgba; readonly opacity: number },
): Promise<Frame> {
  const tinted = await frameOf(pipelineOf(frame).tint(cssOf([color[0], color[1], color[2], 255])))
  const share = opacity * (color[3] / 255)
  if (share === 1) return tinted
  const { data } = tinted
  for (let at = 0; at < data.length; at++) {
    if (at % channels === channels - 1) continue
    const before = frame.data[at] ?? 0
    data[at] = Math.round(before + ((data[at] ?? 0) - before) * share)
  }
  return tinted
}
