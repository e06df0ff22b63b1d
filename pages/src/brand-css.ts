// A tenant's brand as a style sheet. What is no colour is left to the browser, which falls back to the default that tokens.css registers.
import { type Brand, type BrandProperty, brandProperties, isBrandValue } from '@bailiwick/contract'

const bareTriplet = /^[+-]?[\d.]+(?:deg)? +[\d.]+% +[\d.]+%$/i
const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[' }

/** A bracket without its partner would take in the declarations that follow. */
function isBalanced(value: string): boolean {
  const open: string[] = []
  for (const character of value) {
    if (character === '(' || character === '[') open.push(character)
    else if (character in pairs && open.pop() !== pairs[character]) return false
  }
  return open.length === 0
}

const isDark = (name: BrandProperty) => name.startsWith('dark')
const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
/** `--light-primary` for `primary`, `--dark-primary` for `darkPrimary`. */
const tokenOf = (name: BrandProperty) => `--${isDark(name) ? '' : 'light-'}${kebab(name)}`

const valueOf = (value: string) => (bareTriplet.test(value.trim()) ? `hsl(${value.trim()})` : value.trim())

const isColor = (name: BrandProperty) => !/radius$/i.test(name)
const lights = brandProperties.filter((name) => !isDark(name))

const isLightAlone = (set: readonly BrandProperty[]) =>
  set.some(isColor) && !set.some((name) => isDark(name) && isColor(name))

/** The properties that are shown; the others fall back to the defaults. */
const usableOf = (brand: Brand) =>
  brandProperties.flatMap((name) => {
    const value = brand[name]
    const isUsable = value !== undefined && value.trim() !== '' && isBrandValue(value) && isBalanced(value)
    return isUsable ? [{ name, value }] : []
  })

/** Whether pages of a brand are light for everybody: it sets light colours, which were chosen on a light ground, and no dark ones. */
export const staysLight = (brand: Brand): boolean => isLightAlone(usableOf(brand).map(({ name }) => name))

function completed(set: readonly BrandProperty[]): string[] {
  const isLight = isLightAlone(set)
  const copied = lights.filter((name) =>
    isColor(name) ? isLight : set.includes('radius') && !set.includes('darkRadius'),
  )
  const copies = copied.map((name) => `--dark-${kebab(name)}:var(--light-${kebab(name)})`)
  return isLight ? ['color-scheme:light', ...copies] : copies
}

/** The declarations of a brand; empty for one that sets nothing. */
export function brandCss(brand: Brand): string {
  const set = usableOf(brand)
  if (set.length === 0) return ''
  const declarations = set.map(({ name, value }) => `${tokenOf(name)}:${valueOf(value)}`)
  return `:root{${[...declarations, ...completed(set.map(({ name }) => name))].join(';')}}`
}
