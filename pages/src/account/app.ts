// The authenticator app: whether the user has one, and how to set it up.
import { type Frame } from '../frame.ts'
import { html } from '../html.ts'
import { appSecret } from '../parts/app-secret.ts'
import { codeForm } from '../parts/code-form.ts'
import { button, form, link } from '../parts/form.ts'
import { type AccountView, accountPage } from './account-page.ts'

export interface AppView extends AccountView {
  readonly isOn: boolean
  /** Whether the tenant accepts codes of apps. */
  readonly canSetUp: boolean
}

export function appPage(frame: Frame, view: AppView): string {
  const { text } = frame
  const { isOn, canSetUp } = view
  const setUp = form(
    frame,
    { to: '/account/app' },
    button(text(isOn ? 'app.replace' : 'app.setUp'), { kind: isOn ? 'secondary' : 'primary' }),
  )
  return accountPage(
    frame,
    view,
    { title: text('account.app'), lead: text('app.lead'), section: 'app' },
    html`${isOn && html`<p class="who">${text('app.isOn')}</p>`}${canSetUp && setUp}${isOn && html`<p class="row">${link(frame, '/account/app/remove', text('app.remove'))}</p>`}`,
  )
}

export interface AppSetUpView extends AccountView {
  readonly secret: string
  /** The content of the QR code (otpauth:). */
  readonly uri: string
}

/** The form sends the secret back, so that a wrong code shows the same secret again: it is not stored anywhere where it can be read. */
export function appSetUpPage(frame: Frame, view: AppSetUpView): string {
  const { text } = frame
  const { secret, uri, errors = {} } = view
  return accountPage(
    frame,
    view,
    { title: text('app.setUpTitle'), section: 'app' },
    html`${appSecret(frame, { secret, uri })}${codeForm(frame, { to: '/account/app/confirm', hidden: { uri }, errors, submit: text('app.confirm'), digits: 6 })}
      <p class="row">${link(frame, '/account/app', text('account.cancel'))}</p>`,
  )
}
