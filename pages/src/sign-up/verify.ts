// Proves that an address or a number belongs to the person who signs up.
import type { VerificationStrategy } from '@bailiwick/contract'
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { codeForm, resendForm } from '../parts/code-form.ts'
import { type FieldErrors, firstError, notice } from '../parts/field.ts'
import { button, form, link } from '../parts/form.ts'
import { withAddress } from '../parts/who.ts'

export interface VerifyView {
  readonly attemptId: string
  readonly address: string
  readonly strategy: VerificationStrategy
  readonly errors?: FieldErrors
  readonly isSentAgain?: boolean
  /** Where the user begins again. */
  readonly startAt?: string
}

const titleOf = ({ text }: Frame, strategy: VerificationStrategy) =>
  text(strategy === 'phone_code' ? 'verify.phoneTitle' : 'verify.emailTitle')

/** A code is typed here; a link is opened in the mail, or shows a code in another browser. */
export function verifyPage(frame: Frame, view: VerifyView): string {
  const { text } = frame
  const { attemptId, address, strategy, errors = {}, isSentAgain = false, startAt = '/sign-up' } = view
  const title = titleOf(frame, strategy)
  const to = `/sign-up/${attemptId}`
  const isLink = strategy === 'email_link'
  const lead = withAddress((shown) => text(isLink ? 'verify.linkLead' : 'verify.codeLead', { address: shown }), address)
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, lead)}${notice(errors['form'])}${isSentAgain && notice(text(isLink ? 'link.sent' : 'code.sent'), 'done')}${codeForm(frame, { to, hidden: { step: 'verify', strategy }, errors, submit: text('verify.submit'), digits: isLink ? 8 : 6, ...(isLink ? { label: text('link.code') } : {}) })}
      <div class="row">
        ${resendForm(frame, to, { step: 'prepare', strategy, again: '1' }, text(isLink ? 'link.resend' : 'code.resend'))}${link(frame, startAt, text('common.startAgain'))}
      </div>`,
  )
}

/** Lets people choose where there are two ways, and offers to send again what could not be sent. */
export function verifySendPage(
  frame: Frame,
  view: Omit<VerifyView, 'strategy'> & { readonly strategies: readonly VerificationStrategy[] },
): string {
  const { text } = frame
  const { attemptId, address, strategies, errors = {} } = view
  const title = titleOf(frame, strategies[0] ?? 'email_code')
  const choice = (strategy: VerificationStrategy, index: number) =>
    form(
      frame,
      { to: `/sign-up/${attemptId}`, hidden: { step: 'prepare', strategy } },
      button(text(strategy === 'email_link' ? 'verify.sendLink' : 'verify.sendCode'), {
        kind: index === 0 ? 'primary' : 'secondary',
      }),
    )
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(
        title,
        withAddress((shown) => text('verify.sendLead', { address: shown }), address),
      )}${notice(firstError(errors))}
      <div class="stack">${strategies.map(choice)}</div>`,
  )
}

/** Opening a link changes nothing, so that mail scanners cannot use it up; this button uses it. */
export function verifyLinkPage(frame: Frame, view: { readonly attemptId: string; readonly token: string }): string {
  const { text } = frame
  const title = text('verify.emailTitle')
  const hidden = { step: 'verify', strategy: 'email_link', code: view.token }
  return page(
    frame,
    { title },
    html`${heading(title, text('verify.confirmLead'))}${form(frame, { to: `/sign-up/${view.attemptId}`, hidden }, button(text('verify.submit')))}`,
  )
}
