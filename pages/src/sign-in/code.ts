// A code, or a link, that was sent to an address or a number.
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { codeForm, resendForm } from '../parts/code-form.ts'
import { type FieldErrors, notice } from '../parts/field.ts'
import { button, form, link } from '../parts/form.ts'
import { who, withAddress } from '../parts/who.ts'

export interface SentView {
  readonly attemptId: string
  readonly identifier: string
  readonly strategy: 'email_code' | 'email_link' | 'phone_code'
  readonly errors?: FieldErrors
  readonly isSentAgain?: boolean
  readonly hasOtherWays: boolean
  readonly startAt: string
}

export function codePage(frame: Frame, view: SentView): string {
  const { text } = frame
  const { attemptId, identifier, strategy, errors = {}, isSentAgain = false, hasOtherWays, startAt } = view
  const title = text(strategy === 'phone_code' ? 'code.phoneTitle' : 'code.emailTitle')
  const to = `/sign-in/${attemptId}`
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(
        title,
        withAddress((address) => text('code.lead', { address }), identifier),
      )}${notice(errors['form'])}${isSentAgain && notice(text('code.sent'), 'done')}${codeForm(frame, { to, hidden: { step: 'attempt', strategy }, errors, submit: text('common.continue'), digits: 6 })}
      <div class="row">
        ${resendForm(frame, to, { step: 'prepare', strategy, again: '1' }, text('code.resend'))}${hasOtherWays ? link(frame, `${to}?with=choose`, text('common.otherWay')) : link(frame, startAt, text('signIn.change'))}
      </div>`,
  )
}

export function linkSentPage(frame: Frame, view: SentView): string {
  const { text } = frame
  const { attemptId, identifier, errors = {}, isSentAgain = false, hasOtherWays, startAt } = view
  const title = text('link.title')
  const to = `/sign-in/${attemptId}`
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(
        title,
        withAddress((address) => text('link.lead', { address }), identifier),
      )}${notice(errors['form'])}${isSentAgain && notice(text('link.sent'), 'done')}${codeForm(frame, { to, hidden: { step: 'attempt', strategy: 'email_link' }, errors, submit: text('common.continue'), label: text('link.code'), digits: 8 })}
      <div class="row">
        ${resendForm(frame, to, { step: 'prepare', strategy: 'email_link', again: '1' }, text('link.resend'))}${hasOtherWays ? link(frame, `${to}?with=choose`, text('common.otherWay')) : link(frame, startAt, text('signIn.change'))}
      </div>`,
  )
}

/** Opening a link changes nothing, so that mail scanners cannot use it up; this button uses it. */
export function linkConfirmPage(
  frame: Frame,
  { attemptId, token, identifier }: { readonly attemptId: string; readonly token: string; readonly identifier: string },
): string {
  const { text, tenant } = frame
  const title = text('link.confirmTitle')
  return page(
    frame,
    { title },
    html`${heading(title, text('link.confirmLead', { tenant: tenant?.name ?? '' }))}${who(frame, identifier, '/sign-in')}${form(frame, { to: `/sign-in/${attemptId}`, hidden: { step: 'attempt', strategy: 'email_link', code: token } }, button(text('link.confirm')))}`,
  )
}

/** For whoever has opened a link in another browser than the one that asked for it: the code to type in there. */
export function linkCodePage(
  frame: Frame,
  { code, startAt }: { readonly code: string; readonly startAt: string },
): string {
  const { text } = frame
  const title = text('link.codeTitle')
  return page(
    frame,
    { title },
    html`${heading(title, text('link.codeLead'))}
      <p class="sent-code" dir="ltr">${code}</p>
      <p>${link(frame, startAt, text('common.startAgain'))}</p>`,
  )
}
