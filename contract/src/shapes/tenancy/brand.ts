import type { Static, TOptional, TUnsafe } from 'typebox'
import { object, optional, text } from '../../schema.ts'

/** What each property colours on the hosted pages and, where they have such a part, in messages. */
const lightProperties = {
  background: 'The background of the page',
  foreground: 'Text on the background',
  muted: 'Muted areas, such as a list of recovery codes',
  mutedForeground: 'Hints and other less important text',
  popover: 'The background of popovers on pages of your own. The hosted pages have no popovers',
  popoverForeground: 'Text on popovers, on pages of your own',
  card: 'The card that holds a form',
  cardForeground: 'Text on the card',
  border: 'Lines between sections and around the card',
  input: 'Lines around fields',
  primary: 'The main button',
  primaryForeground: 'Text on the main button',
  secondary: 'Other buttons while the pointer is over them',
  secondaryForeground: 'Text on these buttons',
  accent: 'Notices',
  accentForeground: 'Links, and text of notices',
  destructive: 'Errors, and buttons that delete something',
  destructiveForeground: 'Text on these buttons',
  ring: 'The outline of the focused element',
  radius: 'The radius of corners: a length',
} as const

type Light = keyof typeof lightProperties
export type BrandProperty = Light | `dark${Capitalize<Light>}`

const darkOf = (name: Light) => `dark${name.charAt(0).toUpperCase()}${name.slice(1)}` as `dark${Capitalize<Light>}`

const lightNames = Object.keys(lightProperties) as readonly Light[]

export const brandProperties: readonly BrandProperty[] = [...lightNames, ...lightNames.map(darkOf)]

const value = (description: string) => optional(text({ format: 'brand-value', maxLength: 200, description }))

/** Twenty theme values and their dark counterparts, each an optional CSS colour (`radius`: a length). */
export const Brand = object(
  Object.fromEntries([
    ...lightNames.map((name) => [name, value(lightProperties[name])]),
    ...lightNames.map((name) => [darkOf(name), value(`${lightProperties[name]}, on dark pages`)]),
  ]) as Record<BrandProperty, TOptional<TUnsafe<string>>>,
)
export type Brand = Static<typeof Brand>
