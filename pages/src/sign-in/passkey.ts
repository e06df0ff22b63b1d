import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { type FieldErrors, notice } from '../parts/field.ts'
import { link } from '../parts/form.ts'
import { needsScript, passkeyForm } from '../parts/passkey.ts'
import { who } from '../parts/who.ts'

export interface PasskeyView {
  readonly attemptId: string
  readonly identifier: string | null
  readonly errors?: FieldErrors
  readonly hasOtherWays: boolean
  readonly startAt: string
}

export function passkeyPage(frame: Frame, view: PasskeyView): string {
  const { text } = frame
  const { attemptId, identifier, errors = {}, hasOtherWays, startAt } = view
  const title = text('passkey.title')
  const to = `/sign-in/${attemptId}`
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text('passkey.lead'))}${notice(errors['form'])}${identifier !== null && who(frame, identifier, startAt)}${needsScript(frame)}${passkeyForm(frame, { to, optionsFrom: `${to}/passkey/options`, label: text('passkey.use'), kind: 'primary', hidden: { step: 'attempt', strategy: 'security_key' } })}${hasOtherWays && html`<p class="row">${link(frame, `${to}?with=choose`, text('common.otherWay'))}</p>`}`,
  )
}
