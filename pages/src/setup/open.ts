// Opening a set-up link: a code goes to the mailbox for which the link was made. Opening the page changes nothing.
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { codeForm, resendForm } from '../parts/code-form.ts'
import { type FieldErrors, notice } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { isolated } from '../parts/isolated.ts'

export interface OpenSetupView {
  readonly token: string
  readonly organization: string
  /** The mailbox, with most of its name left out. */
  readonly mailbox: string
  /** Whether a code was sent, so that the page asks for it. */
  readonly isSent: boolean
  readonly errors?: FieldErrors
}

export function openSetupPage(frame: Frame, view: OpenSetupView): string {
  const { text, tenant } = frame
  const { token, organization, mailbox, isSent, errors = {} } = view
  const names = { organization: isolated(frame, organization), tenant: tenant?.name ?? '' }
  const title = isSent ? text('code.emailTitle') : text('setup.openTitle')
  const lead = isSent
    ? text('setup.codeLead', { mailbox: isolated(frame, mailbox) })
    : text('setup.openLead', { ...names, mailbox: isolated(frame, mailbox) })
  const hidden = { token }
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, lead)}${notice(errors['form'])}${
      isSent
        ? html`${codeForm(frame, { to: '/setup', hidden, errors, submit: text('common.continue'), digits: 6 })}
          ${resendForm(frame, '/setup', { token, action: 'send' }, text('code.resend'))}`
        : form(frame, { to: '/setup', hidden: { token, action: 'send' } }, button(text('setup.sendCode')))
    }`,
  )
}
