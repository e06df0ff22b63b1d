// The properties of a brand as pairs of a surface and what is on it, in light and in dark.
import { type Brand, type BrandProperty, languages } from '@bailiwick/contract'
import { locale } from '../../texts/translate.ts'

export type Scheme = 'light' | 'dark'

/** A colour and the surface that it is seen on. The ratio is that of WCAG 2.2: 4.5 for text, 3 for borders and rings. */
export interface ColorPair {
  readonly title: string
  readonly on: LightName
  readonly color: LightName
  readonly ratio: 4.5 | 3
}

type LightName = Exclude<BrandProperty, `dark${string}`>

export const pairs: readonly ColorPair[] = [
  { title: 'Text', on: 'background', color: 'foreground', ratio: 4.5 },
  { title: 'Text on cards', on: 'card', color: 'cardForeground', ratio: 4.5 },
  { title: 'Quiet text', on: 'muted', color: 'mutedForeground', ratio: 4.5 },
  { title: 'Main button', on: 'primary', color: 'primaryForeground', ratio: 4.5 },
  { title: 'Other buttons', on: 'secondary', color: 'secondaryForeground', ratio: 4.5 },
  { title: 'Notices and links', on: 'accent', color: 'accentForeground', ratio: 4.5 },
  { title: 'Errors and deleting', on: 'destructive', color: 'destructiveForeground', ratio: 4.5 },
  { title: 'Menus', on: 'popover', color: 'popoverForeground', ratio: 4.5 },
  { title: 'Lines around fields', on: 'card', color: 'input', ratio: 3 },
  { title: 'Focus ring', on: 'background', color: 'ring', ratio: 3 },
  { title: 'Lines between parts', on: 'background', color: 'border', ratio: 3 },
]

/** Lines that only separate, and need not be seen to use a page (WCAG 2.2, 1.4.11). */
export const isDecoration = ({ color }: ColorPair): boolean => color === 'border'

/** The colours of the hosted pages where a brand sets none, as in tokens.css of the pages. */
const defaults: Readonly<Record<Scheme, Readonly<Record<string, string>>>> = { light: {}, dark: {} }

/** Reads the defaults of the pages from the style sheet that the console shares with them. */
export function defaultOf(name: LightName, scheme: Scheme): string {
  const known = defaults[scheme] as Record<string, string>
  known[name] ??= getComputedStyle(document.documentElement)
    .getPropertyValue(`--${scheme}-${kebab(name)}`)
    .trim()
  return known[name]
}

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const propertyOf = (name: LightName, scheme: Scheme): BrandProperty =>
  scheme === 'light' ? name : (`dark${name.charAt(0).toUpperCase()}${name.slice(1)}` as BrandProperty)

/** Returns the colour that pages show: the brand's, else the default. */
export const shownColor = (brand: Brand, name: LightName, scheme: Scheme): string =>
  brand[propertyOf(name, scheme)] ?? defaultOf(name, scheme)

/** The surfaces and texts of both schemes, in the order of the pairs, each once. */
export const colorNames: readonly LightName[] = [...new Set(pairs.flatMap(({ on, color }) => [on, color]))]
export type { LightName }

const names = new Intl.DisplayNames(locale, { type: 'language' })

/** The languages of pages and messages, by their names in the reader's language. */
export const languageOptions: readonly { readonly value: string; readonly label: string }[] = languages
  .map((tag) => ({ value: tag, label: names.of(tag) ?? tag }))
  .toSorted((one, other) => one.label.localeCompare(other.label))

export const languageName = (tag: string): string => names.of(tag) ?? tag
