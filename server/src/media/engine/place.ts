// Places one picture on another: where, how often, with which opacity and blend mode.
import { blendOf, reachesBeyond } from './blend.ts'
import type { Placement } from './definition.ts'
import { type Frame, channels } from './frame.ts'

interface Point {
  readonly left: number
  readonly top: number
}

const share = { left: 0, top: 0, center: 0.5, right: 1, bottom: 1 } as const

/** Aligned within the image without the paddings, then moved by x and y. */
export function positionOf(base: Frame, overlay: Frame, { x, y, horizontal, vertical, padding }: Placement): Point {
  const across = base.width - padding.left - padding.right - overlay.width
  const down = base.height - padding.top - padding.bottom - overlay.height
  return {
    left: padding.left + Math.round(across * share[horizontal]) + x,
    top: padding.top + Math.round(down * share[vertical]) + y,
  }
}

function faded(frame: Frame, opacity: number): Frame {
  if (opacity === 1) return frame
  const data = Buffer.from(frame.data)
  for (let at = channels - 1; at < data.length; at += channels) data[at] = Math.round((data[at] ?? 0) * opacity)
  return { ...frame, data }
}

const modulo = (value: number, by: number) => ((value % by) + by) % by

/** For each column or row of the base, the one of the overlay that lies on it, or -1. */
function coverage(side: number, overlaySide: number, start: number, period: number | undefined): Int32Array {
  return Int32Array.from({ length: side }, (_, index) => {
    const offset = period === undefined ? index - start : modulo(index - start, period)
    return offset >= 0 && offset < overlaySide ? offset : -1
  })
}

const nothing = Buffer.alloc(channels)

/** Draws the overlay on the base; repeated, with its paddings between. */
export function place(base: Frame, overlay: Frame, placement: Placement): Frame {
  const { padding, repeat, blend: mode } = placement
  const { left, top } = positionOf(base, overlay, placement)
  const across = repeat ? overlay.width + padding.left + padding.right : undefined
  const down = repeat ? overlay.height + padding.top + padding.bottom : undefined
  const columns = coverage(base.width, overlay.width, left, across)
  const rows = coverage(base.height, overlay.height, top, down)
  const { data: upper } = faded(overlay, placement.opacity)
  const blend = blendOf(mode)
  const isEverywhere = reachesBeyond(mode)
  const data = Buffer.from(base.data)
  for (let y = 0; y < base.height; y++) {
    const line = rows[y] ?? -1
    if (line < 0 && !isEverywhere) continue
    for (let x = 0; x < base.width; x++) {
      const column = columns[x] ?? -1
      const at = (y * base.width + x) * channels
      if (line >= 0 && column >= 0) blend(data, at, upper, (line * overlay.width + column) * channels)
      else if (isEverywhere) blend(data, at, nothing, 0)
    }
  }
  return { data, width: base.width, height: base.height }
}
