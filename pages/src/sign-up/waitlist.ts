// The form with which visitors leave their address while the tenant's sign-up is closed.
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import {
  type PageChallenge,
  challengeData,
  challengeField,
  challengeScript,
  challengeWidget,
} from '../parts/challenge.ts'
import { type FieldErrors, field, notice } from '../parts/field.ts'
import { button, form, link } from '../parts/form.ts'

export interface WaitlistView {
  readonly canSignIn: boolean
  readonly value?: string
  readonly errors?: FieldErrors
  readonly challenge?: PageChallenge
}

export function waitlistPage(frame: Frame, { canSignIn, value, errors = {}, challenge }: WaitlistView): string {
  const { text } = frame
  const title = text('waitlist.title')
  const email = field(frame, errors, {
    name: 'email',
    label: text('field.email'),
    type: 'email',
    inputmode: 'email',
    autocomplete: 'email',
    maxlength: 320,
    isFocused: true,
    ...(value === undefined ? {} : { value }),
  })
  const fields = html`${email}${challengeWidget(challenge)}${button(text('waitlist.submit'))}`
  const options = { to: '/waitlist', hidden: { ...challengeField(challenge) }, data: challengeData(challenge) }
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text('waitlist.lead'))}${notice(errors['form'])}${form(frame, options, fields)}${challengeScript(challenge)}${canSignIn && html`<p class="row center"><span>${text('signUp.hasAccount')} ${link(frame, '/sign-in', text('signUp.signIn'))}</span></p>`}`,
  )
}
