// Derives a mail's colours from a tenant's brand, once for light and once for dark mode. No brand can make a mail unreadable.
import type { Brand, BrandProperty } from '@bailiwick/contract'
import { contrast, mailColor, readableOn } from './mail-colors.ts'

export interface MailTheme {
  /** The background behind the card. */
  readonly page: string
  readonly card: string
  readonly border: string
  readonly text: string
  readonly quiet: string
  /** The text above and below the card. */
  readonly name: string
  readonly footer: string
  readonly link: string
  readonly button: string
  readonly buttonText: string
  readonly buttonBorder: string
  /** The background of a code. */
  readonly code: string
  readonly codeText: string
}

type Defaults = Pick<MailTheme, 'page' | 'card' | 'border' | 'text' | 'quiet' | 'button' | 'code'>

const light: Defaults = {
  page: '#f4f4f5',
  card: '#ffffff',
  border: '#e4e4e7',
  text: '#18181b',
  quiet: '#52525b',
  button: '#18181b',
  code: '#f4f4f5',
}
const dark: Defaults = {
  page: '#111113',
  card: '#1c1c1f',
  border: '#3f3f46',
  text: '#fafafa',
  quiet: '#a1a1aa',
  button: '#fafafa',
  code: '#2a2a2e',
}

/** A lower contrast would make a button unrecognisable. */
const seenMin = 1.5

type Light = Exclude<BrandProperty, `dark${string}`>

function themeOf(valueOf: (name: Light) => string | undefined, defaults: Defaults): MailTheme {
  const card = mailColor(valueOf('card') ?? valueOf('background')) ?? defaults.card
  const on = (name: Light, behind: string) => mailColor(valueOf(name), behind)
  const page = on('muted', card) ?? (mailColor(valueOf('background')) === undefined ? defaults.page : card)
  const text = readableOn(card, on('cardForeground', card), on('foreground', card), defaults.text)
  const button = on('primary', card) ?? (contrast(defaults.button, card) < seenMin ? text : defaults.button)
  const code = on('secondary', card) ?? (contrast(text, defaults.code) < 4.5 ? card : defaults.code)
  return {
    page,
    card,
    border: on('border', card) ?? (contrast(defaults.border, card) > 4 ? card : defaults.border),
    text,
    quiet: readableOn(card, on('mutedForeground', card), defaults.quiet, text),
    name: readableOn(page, text),
    footer: readableOn(page, on('mutedForeground', page), defaults.quiet, text),
    link: readableOn(card, on('primary', card), text),
    button,
    buttonText: readableOn(button, on('primaryForeground', button)),
    buttonBorder: contrast(button, card) < seenMin ? text : button,
    code,
    codeText: readableOn(code, on('secondaryForeground', code), text),
  }
}

export const lightTheme = (brand: Brand): MailTheme => themeOf((name) => brand[name], light)

/** Returns the dark theme. A brand without dark values gets the defaults, with its own main colour. */
export const darkTheme = (brand: Brand): MailTheme =>
  themeOf((name) => {
    const own = brand[`dark${name.charAt(0).toUpperCase()}${name.slice(1)}` as BrandProperty]
    return own ?? (name === 'primary' || name === 'primaryForeground' ? brand[name] : undefined)
  }, dark)

const rem = 16

/** Returns the corner radius of buttons and boxes in pixels; the default for anything but a plain length. */
export function radiusOf({ radius = '' }: Brand): number {
  const [, number, unit] = /^(\d{1,3}(?:\.\d{1,4})?|\.\d{1,4})(px|rem|em)?$/.exec(radius.trim()) ?? []
  if (number === undefined) return 8
  return Math.min(24, Math.round(Number(number) * (unit === 'px' || unit === undefined ? 1 : rem)))
}
