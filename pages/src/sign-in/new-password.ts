import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import {
  type PageChallenge,
  challengeData,
  challengeField,
  challengeScript,
  challengeWidget,
} from '../parts/challenge.ts'
import { type FieldErrors, field, notice, passwordOwner } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { who } from '../parts/who.ts'

export interface NewPasswordView {
  readonly attemptId: string
  readonly identifier: string
  readonly strategy: string
  readonly errors?: FieldErrors
  readonly lengthMin: number
  readonly startAt: string
  readonly challenge?: PageChallenge | undefined
}

/** A password that an administrator has set is entered again together with the new one, because it is not kept between the steps. */
export function newPasswordPage(frame: Frame, view: NewPasswordView): string {
  const { text } = frame
  const { attemptId, identifier, strategy, errors = {}, lengthMin, startAt, challenge } = view
  const hidden = { step: 'attempt', with: 'new-password', strategy, ...challengeField(challenge) }
  const title = text('newPassword.title')
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text('newPassword.lead'))}${notice(errors['form'])}${who(frame, identifier, startAt)}${form(
      frame,
      { to: `/sign-in/${attemptId}`, hidden, data: challengeData(challenge) },
      html`${passwordOwner(identifier)}${field(frame, errors, { name: 'password', label: text('newPassword.current'), type: 'password', autocomplete: 'current-password', isFocused: true })}${field(frame, errors, { name: 'newPassword', label: text('field.newPassword'), type: 'password', autocomplete: 'new-password', hint: text('field.passwordHint', { count: lengthMin }), minlength: lengthMin })}${challengeWidget(challenge)}${button(text('newPassword.submit'))}`,
    )}${challengeScript(challenge)}`,
  )
}
