// The rules for blending a picture with the one below it: W3C Compositing and Blending Level 1. libvips has the same modes, but computes
// some of them wrongly when both pictures are translucent.
import type { Placement } from './definition.ts'

type Mode = Placement['blend']
/** Takes the two alphas, 0 to 1, and returns the shares of the upper and the lower picture that remain (§9.1). */
type Shares = (upper: number, lower: number) => readonly [number, number]
/** Takes two channels, 0 to 1 (§10.1). */
type Mix = (lower: number, upper: number) => number

const shares: Partial<Record<Mode, Shares>> = {
  clear: () => [0, 0],
  source: () => [1, 0],
  in: (_, lower) => [lower, 0],
  out: (_, lower) => [1 - lower, 0],
  atop: (upper, lower) => [lower, 1 - upper],
  dest: () => [0, 1],
  'dest-over': (_, lower) => [1 - lower, 1],
  'dest-in': (upper) => [0, upper],
  'dest-out': (upper) => [0, 1 - upper],
  'dest-atop': (upper, lower) => [1 - lower, upper],
  xor: (upper, lower) => [1 - lower, 1 - upper],
  add: () => [1, 1],
  // As much of the upper picture as there is room for.
  saturate: (upper, lower) => [upper === 0 ? 0 : Math.min(1, (1 - lower) / upper), 1],
}

const multiply: Mix = (lower, upper) => lower * upper
const screen: Mix = (lower, upper) => lower + upper - lower * upper
const hardLight: Mix = (lower, upper) => (upper <= 0.5 ? multiply(lower, 2 * upper) : screen(lower, 2 * upper - 1))
const dodge: Mix = (lower, upper) => {
  if (lower === 0) return 0
  return upper === 1 ? 1 : Math.min(1, lower / (1 - upper))
}
const burn: Mix = (lower, upper) => 1 - dodge(1 - lower, 1 - upper)
const softLight: Mix = (lower, upper) => {
  if (upper <= 0.5) return lower - (1 - 2 * upper) * lower * (1 - lower)
  const lit = lower <= 0.25 ? ((16 * lower - 12) * lower + 4) * lower : Math.sqrt(lower)
  return lower + (2 * upper - 1) * (lit - lower)
}

const mixes: Partial<Record<Mode, Mix>> = {
  over: (_, upper) => upper,
  multiply,
  screen,
  overlay: (lower, upper) => hardLight(upper, lower),
  darken: (lower, upper) => Math.min(lower, upper),
  lighten: (lower, upper) => Math.max(lower, upper),
  'colour-dodge': dodge,
  'color-dodge': dodge,
  'colour-burn': burn,
  'color-burn': burn,
  'hard-light': hardLight,
  'soft-light': softLight,
  difference: (lower, upper) => Math.abs(lower - upper),
  exclusion: (lower, upper) => lower + upper - 2 * lower * upper,
}

/** Blends one pixel into another in place: `lower` at its offset becomes the result. */
export type Blend = (lower: Buffer, at: number, upper: Buffer, from: number) => void

const byte = (value: number) => Math.min(255, Math.round(value * 255))

const byShares =
  (sharesOf: Shares): Blend =>
  (lower, at, upper, from) => {
    const alphaUpper = (upper[from + 3] ?? 0) / 255
    const alphaLower = (lower[at + 3] ?? 0) / 255
    const [shareUpper, shareLower] = sharesOf(alphaUpper, alphaLower)
    const weightUpper = alphaUpper * shareUpper
    const weightLower = alphaLower * shareLower
    const alpha = Math.min(1, weightUpper + weightLower)
    lower[at + 3] = byte(alpha)
    for (let channel = 0; channel < 3; channel++) {
      const sum = weightUpper * (upper[from + channel] ?? 0) + weightLower * (lower[at + channel] ?? 0)
      lower[at + channel] = alpha === 0 ? 0 : byte(sum / alpha / 255)
    }
  }

const byMix =
  (mix: Mix): Blend =>
  (lower, at, upper, from) => {
    const alphaUpper = (upper[from + 3] ?? 0) / 255
    // A fully transparent pixel must change nothing at all.
    if (alphaUpper === 0) return
    const alphaLower = (lower[at + 3] ?? 0) / 255
    const alpha = alphaUpper + alphaLower - alphaUpper * alphaLower
    const onlyUpper = alphaUpper * (1 - alphaLower)
    const onlyLower = alphaLower * (1 - alphaUpper)
    for (let channel = 0; channel < 3; channel++) {
      const own = (upper[from + channel] ?? 0) / 255
      const below = (lower[at + channel] ?? 0) / 255
      const both = alphaUpper * alphaLower * mix(below, own)
      lower[at + channel] = byte((onlyUpper * own + onlyLower * below + both) / alpha)
    }
    lower[at + 3] = byte(alpha)
  }

export function blendOf(mode: Mode): Blend {
  const sharesOf = shares[mode]
  if (sharesOf !== undefined) return byShares(sharesOf)
  const mix = mixes[mode]
  if (mix === undefined) throw new RangeError(`no such blend mode: ${mode}`)
  return byMix(mix)
}

const reaching: ReadonlySet<Mode> = new Set(['clear', 'source', 'in', 'out', 'dest-in', 'dest-atop'])
/** Whether a mode also changes the lower picture where the upper one is absent. */
export const reachesBeyond = (mode: Mode): boolean => reaching.has(mode)
