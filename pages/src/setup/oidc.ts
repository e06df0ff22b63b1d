// The connection with an OpenID provider: the address to register there, and the client that it gives.
import type { Frame } from '../frame.ts'
import { html } from '../html.ts'
import { field } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { type AnyConnectionView, anyConnectionPage, connectionForm } from './connection.ts'
import { values } from './shell.ts'

export interface OidcConnectionView extends AnyConnectionView {
  readonly issuer: string
  readonly callbackUri: string
  readonly clientId: string
  readonly hasSecret: boolean
}

export function oidcConnectionPage(frame: Frame, view: OidcConnectionView): string {
  const { text } = frame
  const { issuer, callbackUri, clientId, hasSecret, canTest, errors = {} } = view
  const client = form(
    frame,
    connectionForm(view, 'client'),
    html`${field(frame, errors, {
      name: 'clientId',
      label: text('setup.clientId'),
      type: 'text',
      autocomplete: 'off',
      maxlength: 512,
      value: clientId,
    })}${field(frame, errors, {
      name: 'clientSecret',
      label: text('setup.clientSecret'),
      type: 'password',
      autocomplete: 'off',
      maxlength: 8192,
      isOptional: hasSecret,
      ...(hasSecret ? { hint: text('setup.secretKept') } : {}),
    })}${button(text('setup.save'), { kind: canTest ? 'secondary' : 'primary' })}`,
  )
  const copied = values([
    [text('setup.callbackUri'), callbackUri],
    [text('setup.issuer'), issuer],
  ])
  return anyConnectionPage(frame, view, { kind: 'oidc', content: html`${copied}${client}` })
}
