// What a person needs to set up an authenticator app: a picture to scan, or the secret to type.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { qrCode } from './qr-code.ts'

export interface NewApp {
  readonly secret: string
  /** The content of the QR code (otpauth:). */
  readonly uri: string
}

/** The secret in groups of four, as people copy it. */
const grouped = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

export const appSecret = ({ text }: Frame, { secret, uri }: NewApp): Html =>
  html`<p>${text('app.scan')}</p>
    ${qrCode(uri, text('app.picture'))}
    <div class="field">
      <p>${text('app.secret')}</p>
      <p><code dir="ltr">${grouped(secret)}</code></p>
    </div>
    <p>${text('app.confirmLead')}</p> `
