// Setting up a second factor while signing in, where the tenant requires one: first a code to a verified address, then an app or a passkey.
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { type NewApp, appSecret } from '../parts/app-secret.ts'
import { codeForm, resendForm } from '../parts/code-form.ts'
import { type FieldErrors, notice } from '../parts/field.ts'
import { button, divider, form, link } from '../parts/form.ts'
import { needsScript, passkeyForm } from '../parts/passkey.ts'
import { type NewRecoveryCodes, recoveryCodes } from '../parts/recovery-codes.ts'
import { trustChoice } from './second-factor.ts'

export interface EnrolmentView {
  readonly attemptId: string
  readonly errors?: FieldErrors
}

export interface EnrolmentMailboxView extends EnrolmentView {
  readonly strategy: 'email_code' | 'phone_code'
  /** Whether a code was sent; the page offers to send one otherwise. */
  readonly isSent: boolean
  readonly isSentAgain?: boolean
  /** Whether the code is the second factor itself, not a step before one is set up. */
  readonly isFactor?: boolean
  /** As on the page of other second factors. */
  readonly trustDays?: number
}

/** The address is not shown: who knows only the password must not learn it. */
export function enrolmentMailboxPage(frame: Frame, view: EnrolmentMailboxView): string {
  const { text, tenant } = frame
  const { attemptId, strategy, isSent, isSentAgain = false, isFactor = false, trustDays = 0, errors = {} } = view
  const to = `/sign-in/${attemptId}`
  const isPhone = strategy === 'phone_code'
  const isRefused = Object.keys(errors).length > 0
  if (!isSent) {
    const title = text(isFactor ? 'second.title' : 'enrolment.title')
    const lead = text(isFactor ? 'second.codeLead' : 'enrolment.mailboxLead', { tenant: tenant?.name ?? '' })
    const send = text(isPhone ? 'enrolment.sendToPhone' : 'enrolment.sendToEmail')
    return page(
      frame,
      { title, isRefused },
      html`${heading(title, lead)}${notice(errors['form'])}${form(frame, { to, hidden: { step: 'prepare', strategy } }, button(send))}`,
    )
  }
  const title = text(isPhone ? 'code.phoneTitle' : 'code.emailTitle')
  return page(
    frame,
    { title, isRefused },
    html`${heading(title, text(isPhone ? 'enrolment.phoneSent' : 'enrolment.emailSent'))}${notice(errors['form'])}${isSentAgain && notice(text('code.sent'), 'done')}${codeForm(frame, { to, hidden: { step: 'second', strategy }, errors, submit: text('common.continue'), digits: 6, more: isFactor && trustChoice(frame, trustDays) })}
      <div class="row">${resendForm(frame, to, { step: 'prepare', strategy, again: '1' }, text('code.resend'))}</div>`,
  )
}

export interface EnrolmentChoiceView extends EnrolmentView {
  readonly ways: readonly ('app' | 'key')[]
}

export function enrolmentChoicePage(frame: Frame, { attemptId, ways, errors = {} }: EnrolmentChoiceView): string {
  const { text, tenant } = frame
  const title = text('enrolment.title')
  const to = `/sign-in/${attemptId}`
  const hasBoth = ways.length > 1
  const byApp = () =>
    html`${form(frame, { to, hidden: { step: 'prepare', strategy: 'authenticator_code' } }, button(text('app.setUp')))}
      <p class="hint">${text('enrolment.appHint')}</p>`
  const byKey = () =>
    html`${needsScript(frame)}${passkeyForm(frame, {
        to,
        optionsFrom: `${to}/passkey/options`,
        label: text('passkeys.add'),
        kind: hasBoth ? 'secondary' : 'primary',
        hidden: { step: 'second', strategy: 'security_key' },
        isNew: true,
      })}
      <p class="hint">${text('enrolment.keyHint')}</p>`
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text('enrolment.chooseLead', { tenant: tenant?.name ?? '' }))}${notice(errors['form'])}${ways.includes('app') && byApp()}${hasBoth && divider(frame)}${ways.includes('key') && byKey()}`,
  )
}

export interface EnrolmentAppView extends EnrolmentView, NewApp {
  readonly hasOtherWays: boolean
}

/** The form sends the secret back, so that a wrong code shows the same secret again. */
export function enrolmentAppPage(frame: Frame, view: EnrolmentAppView): string {
  const { text } = frame
  const { attemptId, uri, hasOtherWays, errors = {} } = view
  const title = text('app.setUpTitle')
  const to = `/sign-in/${attemptId}`
  const hidden = { step: 'second', strategy: 'authenticator_code', uri }
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title)}${notice(errors['form'])}${appSecret(frame, view)}${codeForm(frame, { to, hidden, errors, submit: text('app.confirm'), digits: 6 })}${hasOtherWays && html`<p class="row">${link(frame, to, text('common.otherWay'))}</p>`}`,
  )
}

/** The user is signed in already; the codes are shown before the browser goes on. */
export function enrolmentCodesPage(frame: Frame, view: NewRecoveryCodes): string {
  const { text } = frame
  const title = text('recovery.newTitle')
  return page(frame, { title }, html`${heading(title, text('recovery.newLead'))}${recoveryCodes(frame, view)}`)
}
