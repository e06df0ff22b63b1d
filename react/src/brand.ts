// A tenant's brand as properties of the style sheet. A browser ignores a value that is not a colour, and uses the style sheet's own.
import type { Brand } from '@bailiwick/contract'
import type { CSSProperties } from 'react'

/** Three numbers without a function around them, as shadcn used to write colours. */
const bareTriplet = /^[+-]?[\d.]+(?:deg)? +[\d.]+% +[\d.]+%$/i
const isDark = (name: string) => name.startsWith('dark')
const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Returns `--bw-light-primary` for `primary` and `--bw-dark-primary` for `darkPrimary`; undefined for a brand that sets nothing. */
export function brandStyle(brand: Brand | undefined): CSSProperties | undefined {
  const set = Object.entries(brand ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
  )
  if (set.length === 0) return undefined
  const properties = set.map(([name, value]) => {
    const text = value.trim()
    return [`--bw-${isDark(name) ? '' : 'light-'}${kebab(name)}`, bareTriplet.test(text) ? `hsl(${text})` : text]
  })
  const colors = set.map(([name]) => name).filter((name) => !/radius$/i.test(name))
  // A brand without dark colours stays light, because its colours were chosen for a light background.
  const isLightAlone = colors.length > 0 && !colors.some(isDark)
  return { ...Object.fromEntries(properties), ...(isLightAlone ? { colorScheme: 'light' } : {}) } as CSSProperties
}
