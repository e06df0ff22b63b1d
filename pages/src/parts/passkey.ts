// A form that a passkey is the answer to. The script asks for its options, and sends the form when the device has answered.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { button, form } from './form.ts'

export interface PasskeyOptions {
  /** Where the answer goes, and where the options come from: paths below the root. */
  readonly to: string
  readonly optionsFrom: string
  readonly label: string
  readonly kind: 'primary' | 'secondary'
  readonly hidden?: Readonly<Record<string, string | undefined>>
  /** Whether the browser offers passkeys in a field with `autocomplete="… webauthn"`, too. */
  readonly isConditional?: boolean
}

export function passkeyForm(frame: Frame, options: PasskeyOptions): Html {
  const { to, optionsFrom, label, kind, hidden = {}, isConditional = false } = options
  const data = {
    passkey: '',
    options: frame.root + optionsFrom,
    ...(isConditional ? { conditional: '' } : {}),
  }
  return form(
    frame,
    { to, hidden: { ...hidden, credential: '' }, data, className: 'needs-script' },
    html`${button(label, { kind, awaitsScript: true })}
      <p class="error" role="alert" hidden>${frame.text('passkey.failed')}</p> `,
  )
}

export const needsScript = ({ text }: Frame): Html =>
  html`<noscript><p class="notice error">${text('passkey.needsScript')}</p></noscript> `
