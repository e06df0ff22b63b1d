// Puts one picture on another: where, how often, how strongly and by which rule of blending.
import type { Placement } from './definition.ts'
import { type Frame, channels, frameOf, pipelineOf } from './frame.ts'

interface Point {
  readonly left: number
  readonly top: number
}

const share = { left: 0, top: 0, center: 0.5, right: 1, bottom: 1 } as const

/** Aligned in what the paddings leave of the image, then moved by x and y. */
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

/** The overlay over and over, its paddings between; as large as the base, so that nothing is left to be placed. */
function tiled(base: Frame, overlay: Frame, { left, top }: Point, { padding }: Placement): Frame {
  const period = {
    x: overlay.width + padding.left + padding.right,
    y: overlay.height + padding.top + padding.bottom,
  }
  const rowBytes = base.width * channels
  const data = Buffer.alloc(rowBytes * base.height)
  const firstRows = new Map<number, number>()
  for (let y = 0; y < base.height; y++) {
    const line = modulo(y - top, period.y)
    if (line >= overlay.height) continue
    const known = firstRows.get(line)
    if (known !== undefined) {
      data.copyWithin(y * rowBytes, known * rowBytes, (known + 1) * rowBytes)
      continue
    }
    firstRows.set(line, y)
    for (let x = 0; x < base.width; x++) {
      const column = modulo(x - left, period.x)
      if (column >= overlay.width) continue
      const from = (line * overlay.width + column) * channels
      overlay.data.copy(data, y * rowBytes + x * channels, from, from + channels)
    }
  }
  return { data, width: base.width, height: base.height }
}

/** The part of the overlay that is on the base; undefined where none is. */
function visible(base: Frame, overlay: Frame, { left, top }: Point): { frame: Frame; at: Point } | undefined {
  const from = { x: Math.max(0, -left), y: Math.max(0, -top) }
  const width = Math.min(overlay.width - from.x, base.width - Math.max(0, left))
  const height = Math.min(overlay.height - from.y, base.height - Math.max(0, top))
  if (width <= 0 || height <= 0) return undefined
  const at = { left: Math.max(0, left), top: Math.max(0, top) }
  if (width === overlay.width && height === overlay.height) return { frame: overlay, at }
  const data = Buffer.alloc(width * height * channels)
  for (let y = 0; y < height; y++) {
    const start = ((from.y + y) * overlay.width + from.x) * channels
    overlay.data.copy(data, y * width * channels, start, start + width * channels)
  }
  return { frame: { data, width, height }, at }
}

/** Modes that change the base also where the overlay is not get a transparent picture there, as libvips has it. */
export async function place(base: Frame, overlay: Frame, placement: Placement): Promise<Frame> {
  const position = positionOf(base, overlay, placement)
  const seen = faded(overlay, placement.opacity)
  const nothing = { frame: { data: Buffer.alloc(channels), width: 1, height: 1 }, at: { left: 0, top: 0 } }
  const part = placement.repeat
    ? { frame: tiled(base, seen, position, placement), at: { left: 0, top: 0 } }
    : (visible(base, seen, position) ?? nothing)
  const { data, width, height } = part.frame
  const raw = { width, height, channels } as const
  return frameOf(pipelineOf(base).composite([{ input: data, raw, ...part.at, blend: placement.blend }]))
}
