// Converts colours to a form that every mail program supports, six hexadecimal digits, from any notation of a brand (even oklch()).
import { cssColor, parseImageColor } from '@bailiwick/contract'

/** Red, green and blue, 0 to 255. */
type Rgb = readonly [number, number, number]

const white = '#ffffff'
const black = '#000000'

const hex = (channels: readonly number[]) =>
  `#${channels
    .map((channel) =>
      Math.round(Math.min(255, Math.max(0, channel)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

const channelsOf = (color: string): Rgb => {
  const at = (start: number) => Number.parseInt(color.slice(start, start + 2), 16)
  return [at(1), at(3), at(5)]
}

/** IEC 61966-2-1. */
const toLinear = (channel: number) =>
  channel <= 0.04045 * 255 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4
const fromLinear = (light: number) => 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)

/** CSS Color 4 §17, "OKLab and OKLCH". */
function fromOklab(lightness: number, a: number, b: number): number[] {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ].map(fromLinear)
}

/** Parses a number, or a percentage of `whole`. */
const amount = (text: string, whole: number) =>
  text === 'none' ? 0 : text.endsWith('%') ? (Number.parseFloat(text) / 100) * whole : Number.parseFloat(text)

const turns: Readonly<Record<string, number>> = { grad: 0.9, rad: 180 / Math.PI, turn: 360 }

function radians(text: string): number {
  if (text === 'none') return 0
  const [, unit = ''] = /(grad|rad|turn)$/.exec(text) ?? []
  return (Number.parseFloat(text) * (turns[unit] ?? 1) * Math.PI) / 180
}

/** Red, green and blue, 0 to 255, and alpha, 0 to 1. */
function fromOk(text: string): readonly number[] | undefined {
  const [, name, body = ''] = /^(oklch|oklab)\((.*)\)$/.exec(text) ?? []
  if (name === undefined) return undefined
  const [lightness = '0', one = '0', two = '0', alpha = '1'] = body.trim().split(/[\s/]+/)
  const light = Math.min(1, Math.max(0, amount(lightness, 1)))
  const chroma = amount(one, 0.4)
  const [a, b] =
    name === 'oklab' ? [chroma, amount(two, 0.4)] : [chroma * Math.cos(radians(two)), chroma * Math.sin(radians(two))]
  return [...fromOklab(light, a, b), amount(alpha, 1)]
}

/**
 * Returns a brand's value as a colour for mail, blended with `behind` if it is translucent. Returns undefined for anything that is not a
 * colour, and for notations that only wide-gamut screens show.
 */
export function mailColor(value: string | undefined, behind = white): string | undefined {
  const text = value === undefined ? undefined : cssColor(value)?.toLowerCase()
  if (text === undefined) return undefined
  const drawn = parseImageColor(text)
  const found = drawn === undefined ? fromOk(text) : [drawn[0], drawn[1], drawn[2], drawn[3] / 255]
  if (found === undefined || found.some((channel) => !Number.isFinite(channel))) return undefined
  const alpha = Math.min(1, Math.max(0, found[3] ?? 1))
  return hex(channelsOf(behind).map((below, index) => (found[index] ?? 0) * alpha + below * (1 - alpha)))
}

/** WCAG 2.2, "relative luminance". */
function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color)
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue)
}

/** WCAG 2.2, "contrast ratio": 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** WCAG 2.2, 1.4.3. */
export const readable = 4.5

/** Returns the first of `wanted` that is readable on `behind`, otherwise black or white, one of which always is. */
export function readableOn(behind: string, ...wanted: readonly (string | undefined)[]): string {
  const found = wanted.find((color) => color !== undefined && contrast(color, behind) >= readable)
  return found ?? (contrast(white, behind) >= contrast(black, behind) ? white : black)
}
