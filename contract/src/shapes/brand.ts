import type { Static, TOptional, TUnsafe } from 'typebox'
import { object, optional, text } from '../schema.ts'

const lightProperties = [
  'background',
  'foreground',
  'muted',
  'mutedForeground',
  'popover',
  'popoverForeground',
  'card',
  'cardForeground',
  'border',
  'input',
  'primary',
  'primaryForeground',
  'secondary',
  'secondaryForeground',
  'accent',
  'accentForeground',
  'destructive',
  'destructiveForeground',
  'ring',
  'radius',
] as const

type Light = (typeof lightProperties)[number]
export type BrandProperty = Light | `dark${Capitalize<Light>}`

const darkOf = (name: Light) => `dark${name.charAt(0).toUpperCase()}${name.slice(1)}` as `dark${Capitalize<Light>}`

export const brandProperties: readonly BrandProperty[] = [...lightProperties, ...lightProperties.map(darkOf)]

const value = () => optional(text({ format: 'brand-value', maxLength: 200 }))

/** Twenty theme values and their dark twins, each an optional CSS colour (`radius`: a length). */
export const Brand = object(
  Object.fromEntries(brandProperties.map((name) => [name, value()])) as Record<
    BrandProperty,
    TOptional<TUnsafe<string>>
  >,
)
export type Brand = Static<typeof Brand>
