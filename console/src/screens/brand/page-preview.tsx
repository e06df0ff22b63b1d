// A real hosted page with sample data, in a frame that allows no scripts and no forms. The colours of a brand that is not saved yet are
// set in the frame's document from here.
import type { Brand } from '@bailiwick/contract'
import { brandCss } from '@bailiwick/pages/brand-css'
import { useCallback, useEffect, useRef } from 'react'
import { useTenant } from '../../session/tenant.tsx'

export const previewStates = [
  { value: 'sign-in', label: 'Sign-in' },
  { value: 'password', label: 'Password' },
  { value: 'password-refused', label: 'Wrong password' },
  { value: 'code', label: 'Code' },
  { value: 'second-factor', label: 'Second factor' },
  { value: 'enrolment', label: 'Set-up of a second factor' },
  { value: 'sign-up', label: 'Sign-up' },
  { value: 'verify', label: 'Verification' },
  { value: 'reset-password', label: 'Password reset' },
  { value: 'new-password', label: 'New password' },
  { value: 'signed-in', label: 'Choice of account' },
  { value: 'consent', label: 'Consent' },
  { value: 'request-over', label: 'Request that is over' },
  { value: 'sign-out', label: 'Sign-out' },
  { value: 'sign-out-of-application', label: 'Sign-out of an application' },
] as const

interface PagePreviewProps {
  readonly state: (typeof previewStates)[number]['value']
  readonly width: number
  readonly height: number
  readonly language?: string
  readonly scheme?: 'light' | 'dark'
  readonly layout?: string
  /** Colours that are not saved yet. */
  readonly brand?: Brand
  /** Rules that are not saved yet; only the on/off rules have an effect. */
  readonly rules?: Readonly<Record<string, unknown>>
  /** The scale at which the page is drawn. */
  readonly scale?: number
}

function addressOf(tenantId: string, { state, language, scheme, layout, rules = {} }: PagePreviewProps): string {
  const switched = (value: boolean) =>
    Object.entries(rules)
      .filter(([, each]) => each === value)
      .map(([name]) => name)
      .join(',')
  const asked = { language, scheme, layout, on: switched(true), off: switched(false) }
  const query = Object.entries(asked).filter(
    (each): each is [string, string] => each[1] !== undefined && each[1] !== '',
  )
  return `/console/preview/${tenantId}/${state}?${new URLSearchParams(query).toString()}`
}

/** Sets the declarations of a brand on the frame's document, over those of the brand in use. */
function applyBrand(frame: HTMLIFrameElement | null, brand: Brand | undefined) {
  const style = frame?.contentDocument?.documentElement?.style
  if (style === undefined || brand === undefined) return
  // A copy, because the list changes while names are taken out.
  for (const name of Array.from(style)) style.removeProperty(name)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(brandCss(brand))
  const [rule] = sheet.cssRules
  if (!(rule instanceof CSSStyleRule)) return
  for (const name of rule.style) if (name.startsWith('--')) style.setProperty(name, rule.style.getPropertyValue(name))
}

export function PagePreview(props: PagePreviewProps) {
  const { state, width, height, brand, scale = 1 } = props
  const { id } = useTenant()
  const frame = useRef<HTMLIFrameElement>(null)
  const apply = useCallback(() => applyBrand(frame.current, brand), [brand])
  useEffect(apply, [apply])
  const label = previewStates.find(({ value }) => value === state)?.label ?? state
  // Inert: it is there to be looked at, and its links lead nowhere.
  return (
    <div className="page-preview" inert style={{ width: width * scale, height: height * scale }}>
      <iframe
        ref={frame}
        title={`${label}, ${width} pixels wide`}
        src={addressOf(id, props)}
        sandbox="allow-same-origin"
        width={width}
        height={height}
        style={{ scale: String(scale) }}
        onLoad={apply}
      />
    </div>
  )
}
