// What the browser's password manager is told about passkeys. Its script is loaded by the few pages that have something to tell.
import { type Html, html } from '../html.ts'

export interface PasskeyUpkeep {
  readonly script: string
  /** Where the script gets what is known of the user's passkeys. */
  readonly signals?: string
  /** A credential with which somebody has just tried to sign in, and which does not exist. */
  readonly unknown?: { readonly rpId: string; readonly credentialId: string }
}

export const upkeepScript = (upkeep: PasskeyUpkeep | undefined): Html | false =>
  upkeep !== undefined &&
  html`${upkeep.signals !== undefined && html`<div hidden data-passkey-signals="${upkeep.signals}"></div>`}${upkeep.unknown !== undefined && html`<div hidden data-passkey-unknown="${JSON.stringify(upkeep.unknown)}"></div>`}
    <script type="module" src="${upkeep.script}"></script>`
