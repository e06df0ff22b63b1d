// A tenant's brand as a style sheet. A browser ignores a value that is not a colour, and uses the default that tokens.css registers.
import { type Brand, type BrandProperty, brandProperties, isBrandValue } from '@bailiwick/contract'

const bareTriplet = /^[+-]?[\d.]+(?:deg)? +[\d.]+% +[\d.]+%$/i
const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[' }

/** A bracket without its partner would swallow the declarations that follow. */
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
/** Returns `--light-primary` for `primary` and `--dark-primary` for `darkPrimary`. */
const tokenOf = (name: BrandProperty) => `--${isDark(name) ? '' : 'light-'}${kebab(name)}`

const valueOf = (value: string) => (bareTriplet.test(value.trim()) ? `hsl(${value.trim()})` : value.trim())

const isColor = (name: BrandProperty) => !/radius$/i.test(name)
const lights = brandProperties.filter((name) => !isDark(name))

const isLightAlone = (set: readonly BrandProperty[]) =>
  set.some(isColor) && !set.some((name) => isDark(name) && isColor(name))

/** The properties that are shown; the others keep their defaults. */
const usableOf = (brand: Brand) =>
  brandProperties.flatMap((name) => {
    const value = brand[name]
    const isUsable = value !== undefined && value.trim() !== '' && isBrandValue(value) && isBalanced(value)
    return isUsable ? [{ name, value }] : []
  })

/** Whether the pages of a brand are light for everybody: it sets light colours, chosen for a light background, and no dark ones. */
export const staysLight = (brand: Brand): boolean => isLightAlone(usableOf(brand).map(({ name }) => name))

function completed(set: readonly BrandProperty[]): string[] {
  const isLight = isLightAlone(set)
  const copied = lights.filter((name) =>
    isColor(name) ? isLight : set.includes('radius') && !set.includes('darkRadius'),
  )
  const copies = copied.map((name) => `--dark-${kebab(name)}:var(--light-${kebab(name)})`)
  return isLight ? ['color-scheme:light', ...copies] : copies
}

/** Returns the declarations of a brand; empty for one that sets nothing. */
export function brandCss(brand: Brand): string {
  const set = usableOf(brand)
  if (set.length === 0) return ''
  const declarations = set.map(({ name, value }) => `${tokenOf(name)}:${valueOf(value)}`)
  return `:root{${[...declarations, ...completed(set.map(({ name }) => name))].join(';')}}`
}
