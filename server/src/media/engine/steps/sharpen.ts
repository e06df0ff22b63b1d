import { type Frame, channels, frameOf, pipelineOf } from '../frame.ts'

/** libvips' defaults for flat and jagged areas are 1 and 2; half of the range stands for these. */
const flatPerStrength = 1 / 50
const jaggedPerStrength = 2 / 50

/**
 * Moves each colour away from those of its four neighbours, by `by` times the difference. Beyond the edge, the edge pixels are repeated.
 */
function awayFromNeighbours({ data, width, height }: Frame, by: number): Frame {
  const out = Buffer.from(data)
  const row = width * channels
  for (let y = 0; y < height; y++) {
    const up = y > 0 ? -row : 0
    const down = y < height - 1 ? row : 0
    for (let x = 0; x < width; x++) {
      const left = x > 0 ? -channels : 0
      const right = x < width - 1 ? channels : 0
      const pixel = y * row + x * channels
      for (let at = pixel; at < pixel + 3; at++) {
        const own = data[at] ?? 0
        const others = (data[at + up] ?? 0) + (data[at + down] ?? 0) + (data[at + left] ?? 0) + (data[at + right] ?? 0)
        out[at] = Math.min(255, Math.max(0, Math.round(own + by * (4 * own - others))))
      }
    }
  }
  return { data: out, width, height }
}

/** Fast: works on the colours, one pixel wide. Manual: libvips' sharpening of the lightness only, which keeps flat areas flat. */
export async function sharpen(
  frame: Frame,
  { isFast, strength }: { readonly isFast: boolean; readonly strength: number },
): Promise<Frame> {
  if (isFast) return awayFromNeighbours(frame, strength / 100)
  const how = { sigma: 1, m1: strength * flatPerStrength, m2: strength * jaggedPerStrength }
  return frameOf(pipelineOf(frame).sharpen(how))
}
