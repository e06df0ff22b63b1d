// The brand editor's arithmetic with colours: contrast (WCAG 2.2), the nearest colour with enough contrast, and a whole brand from one
// to four colours. Everything is done in OKLCH, in which equal steps look equal.
import type { Brand } from '@bailiwick/contract'
import { type Oklch, converter, formatHex, parse, toGamut, wcagContrast } from 'culori'
import { type ColorPair, type LightName, type Scheme, colorNames, pairs, propertyOf } from './brand-values.ts'

const toOklch = converter('oklch')
const fit = toGamut('rgb', 'oklch')
const bareTriplet = /^[+-]?[\d.]+(?:deg)? +[\d.]+% +[\d.]+%$/i

/** Reads any CSS colour, including the bare `H S% L%` of older shadcn themes. Returns undefined if the text is no colour. */
export function readColor(text: string): Oklch | undefined {
  const trimmed = text.trim()
  return toOklch(parse(bareTriplet.test(trimmed) ? `hsl(${trimmed})` : trimmed))
}

export const hexOf = (color: Oklch): string => formatHex(fit(color))

/** Returns the contrast of two colours; undefined if one of them is no colour, or is translucent. */
export function contrastOf(color: string, on: string): number | undefined {
  const [upper, lower] = [readColor(color), readColor(on)]
  if (upper === undefined || lower === undefined || (upper.alpha ?? 1) < 1 || (lower.alpha ?? 1) < 1) return undefined
  return wcagContrast(fit(upper), fit(lower))
}

const steps = 200

/** Returns the colour of the same hue and nearest lightness that reaches a contrast on a surface; undefined if none does. */
export function nearestPassing(color: string, on: string, ratio: number): string | undefined {
  const start = readColor(color)
  const surface = readColor(on)
  if (start === undefined || surface === undefined) return undefined
  for (let step = 0; step <= steps; step++) {
    for (const sign of [1, -1]) {
      const lightness = start.l + (sign * step) / steps
      if (lightness < 0 || lightness > 1) continue
      const hex = hexOf({ ...start, l: lightness, alpha: 1 })
      if (wcagContrast(hex, fit(surface)) >= ratio) return hex
    }
  }
  return undefined
}

/** Returns black or white with a trace of a hue, whichever is more readable on a surface. */
function textOn(surface: string, hue: number): string {
  const candidates = [
    { mode: 'oklch', l: 0.99, c: 0.004, h: hue },
    { mode: 'oklch', l: 0.18, c: 0.02, h: hue },
  ] as const
  const [best = '#000000'] = candidates
    .map((each) => hexOf(each))
    .toSorted((one, other) => wcagContrast(other, surface) - wcagContrast(one, surface))
  return best
}

/** The colours that a brand is derived from. Only the first is required. */
export interface BaseColors {
  readonly primary: string
  readonly background?: string | undefined
  readonly accent?: string | undefined
  readonly destructive?: string | undefined
}

interface Ground {
  readonly background: Oklch
  readonly primary: Oklch
  readonly accent: Oklch
  readonly destructive: Oklch
}

/** The lightness of each surface relative to the background: towards white on dark pages and towards black on light ones. */
function surfacesOf(
  { background, primary, accent, destructive }: Ground,
  scheme: Scheme,
): Partial<Record<LightName, string>> {
  const tint = { c: Math.min(background.c, 0.02), h: background.h ?? primary.h ?? 0 }
  const towards = scheme === 'light' ? -1 : 1
  const grey = (distance: number) => hexOf({ mode: 'oklch', l: background.l + towards * distance, ...tint })
  const bright = (color: Oklch) => hexOf(scheme === 'light' ? color : { ...color, l: Math.max(color.l, 0.72) })
  const card = scheme === 'light' ? hexOf({ mode: 'oklch', l: Math.min(1, background.l + 0.03), ...tint }) : grey(0.04)
  return {
    background: hexOf(background),
    card,
    popover: card,
    muted: grey(0.05),
    secondary: grey(0.06),
    border: grey(0.1),
    primary: bright(primary),
    ring: bright(primary),
    accent: hexOf({ mode: 'oklch', l: scheme === 'light' ? 0.94 : 0.3, c: Math.min(accent.c, 0.05), h: accent.h ?? 0 }),
    destructive: bright(destructive),
  }
}

function schemeOf(ground: Ground, scheme: Scheme): Partial<Record<LightName, string>> {
  const found: Partial<Record<LightName, string>> = surfacesOf(ground, scheme)
  const hue = ground.primary.h ?? 0
  for (const { on, color, ratio } of pairs) {
    const surface = found[on]
    if (surface === undefined) continue
    const wanted = found[color] ?? wantedOn(color, surface, ground, hue)
    if (color !== 'border') found[color] = nearestPassing(wanted, surface, ratio) ?? textOn(surface, hue)
  }
  return found
}

/** Returns the colour of a text or a line before its contrast is enforced. */
function wantedOn(color: LightName, surface: string, { accent, background }: Ground, hue: number): string {
  if (color === 'mutedForeground' || color === 'input')
    return hexOf({ mode: 'oklch', l: 0.55, c: 0.015, h: background.h ?? hue })
  if (color === 'accentForeground') return hexOf({ ...accent, l: (readColor(surface)?.l ?? 1) > 0.5 ? 0.42 : 0.82 })
  return textOn(surface, hue)
}

const red: Oklch = { mode: 'oklch', l: 0.55, c: 0.2, h: 27 }

/**
 * Derives the colours of a whole brand, light and dark; undefined if the first is no colour. Every text has enough contrast on its surface.
 */
export function deriveBrand(base: BaseColors): Brand | undefined {
  const primary = readColor(base.primary)
  if (primary === undefined) return undefined
  const hue = primary.h ?? 0
  const given = (text: string | undefined) => (text === undefined || text === '' ? undefined : readColor(text))
  const accent = given(base.accent) ?? primary
  const destructive = given(base.destructive) ?? red
  const chosen = given(base.background)
  const light =
    chosen !== undefined && chosen.l > 0.6 ? chosen : ({ mode: 'oklch', l: 0.985, c: 0.003, h: hue } as const)
  const dark =
    chosen !== undefined && chosen.l <= 0.6 ? chosen : ({ mode: 'oklch', l: 0.17, c: 0.015, h: hue } as const)
  const schemes = {
    light: schemeOf({ background: light, primary, accent, destructive }, 'light'),
    dark: schemeOf({ background: dark, primary, accent, destructive }, 'dark'),
  }
  const entries = (['light', 'dark'] as const).flatMap((scheme) =>
    colorNames.flatMap((name) => {
      const value = schemes[scheme][name]
      return value === undefined ? [] : [[propertyOf(name, scheme), value]]
    }),
  )
  return Object.fromEntries(entries) as Brand
}

export interface PairState {
  readonly contrast: number | undefined
  readonly passes: boolean
  /** Returns a colour with enough contrast in place of one without. */
  readonly nearest: string | undefined
}

export function stateOf({ ratio }: ColorPair, color: string, on: string): PairState {
  const contrast = contrastOf(color, on)
  const passes = contrast !== undefined && contrast >= ratio
  return { contrast, passes, nearest: passes ? undefined : nearestPassing(color, on, ratio) }
}
