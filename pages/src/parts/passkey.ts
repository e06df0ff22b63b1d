// A form that is answered with a passkey. The script asks for the options, and sends the form when the device has answered.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { button, form } from './form.ts'

export interface PasskeyOptions {
  /** The paths, below the root, to which the answer is sent and from which the options come. */
  readonly to: string
  readonly optionsFrom: string
  readonly label: string
  readonly kind: 'primary' | 'secondary'
  readonly hidden?: Readonly<Record<string, string | undefined>>
  /** Whether the browser also offers passkeys in a field with `autocomplete="… webauthn"`. */
  readonly isConditional?: boolean
  /** Whether the device makes a new passkey. */
  readonly isNew?: boolean
  /** Whether the browser may make it without asking. */
  readonly isOffer?: boolean
  /** What else the form has, above its button. */
  readonly more?: Html | false
}

export function passkeyForm(frame: Frame, options: PasskeyOptions): Html {
  const {
    to,
    optionsFrom,
    label,
    kind,
    hidden = {},
    isConditional = false,
    isNew = false,
    isOffer = false,
    more = false,
  } = options
  const data = {
    passkey: isNew ? 'create' : '',
    options: frame.root + optionsFrom,
    ...(isConditional ? { conditional: '' } : {}),
    ...(isOffer ? { offer: '' } : {}),
  }
  return form(
    frame,
    { to, hidden: { ...hidden, credential: '' }, data, className: 'needs-script' },
    html`${more}${button(label, { kind, awaitsScript: true })}
      <p class="error" role="alert" hidden>${frame.text(isNew ? 'passkeys.failed' : 'passkey.failed')}</p> `,
  )
}

export const needsScript = ({ text }: Frame): Html =>
  html`<noscript><p class="notice error">${text('passkey.needsScript')}</p></noscript> `
