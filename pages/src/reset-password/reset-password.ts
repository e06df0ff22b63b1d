// Resetting a forgotten password: first the identifier, then the code that was sent and a new password.
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
import { type IdentifierKinds, identifierInput, identifierLabel } from '../parts/identifier.ts'

export interface ResetView {
  readonly kinds: IdentifierKinds
  readonly value?: string
  readonly errors?: FieldErrors
  readonly challenge?: PageChallenge | undefined
}

export function resetPage(frame: Frame, { kinds, value, errors = {}, challenge }: ResetView): string {
  const { text } = frame
  const title = text('reset.title')
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text('reset.lead'))}${notice(errors['form'])}${form(
        frame,
        { to: '/reset-password', hidden: { ...challengeField(challenge) }, data: challengeData(challenge) },
        html`${field(frame, errors, {
          name: 'identifier',
          label: identifierLabel(frame, kinds),
          ...identifierInput(kinds),
          autocomplete: 'username',
          isFocused: true,
          maxlength: 320,
          ...(value === undefined ? {} : { value }),
        })}${challengeWidget(challenge)}${button(text('reset.submit'))}`,
      )}${challengeScript(challenge)}
      <p class="row">${link(frame, '/sign-in', text('reset.back'))}</p>`,
  )
}

export interface ResetCodeView {
  readonly resetId: string
  readonly code?: string
  readonly errors?: FieldErrors
  readonly passwordLengthMin: number
}

export function resetCodePage(frame: Frame, { resetId, code, errors = {}, passwordLengthMin }: ResetCodeView): string {
  const { text } = frame
  const title = text('reset.codeTitle')
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text('reset.codeLead'))}${notice(errors['form'])}${form(
        frame,
        { to: `/reset-password/${encodeURIComponent(resetId)}` },
        html`${field(frame, errors, {
          name: 'code',
          label: text('field.code'),
          autocomplete: 'one-time-code',
          inputmode: 'numeric',
          isFocused: true,
          maxlength: 128,
          ...(code === undefined ? {} : { value: code }),
        })}${field(frame, errors, {
          name: 'password',
          label: text('field.newPassword'),
          type: 'password',
          autocomplete: 'new-password',
          hint: text('field.passwordHint', { count: passwordLengthMin }),
          minlength: passwordLengthMin,
        })}${button(text('reset.save'))}`,
      )}
      <p class="row">${link(frame, '/reset-password', text('common.startAgain'))}</p>`,
  )
}
