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
import { button, form, link } from '../parts/form.ts'
import { who } from '../parts/who.ts'

export interface PasswordView {
  readonly attemptId: string
  readonly identifier: string
  readonly strategy: string
  readonly errors?: FieldErrors
  readonly hasOtherWays: boolean
  /** Whether a link can be asked for here, without another page to choose it on. */
  readonly hasLink?: boolean
  readonly canReset: boolean
  /** Whether the script says if the browser can make a passkey, which is then offered. */
  readonly offersPasskeys?: boolean
  readonly startAt: string
  readonly challenge?: PageChallenge | undefined
}

export function passwordPage(frame: Frame, view: PasswordView): string {
  const { text } = frame
  const {
    attemptId,
    identifier,
    strategy,
    errors = {},
    hasLink = false,
    hasOtherWays,
    canReset,
    startAt,
    challenge,
    offersPasskeys = false,
  } = view
  const title = text('password.title')
  const at = `/sign-in/${attemptId}`
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title)}${notice(errors['form'])}${who(frame, identifier, startAt)}${form(
      frame,
      {
        to: at,
        hidden: {
          step: 'attempt',
          strategy,
          ...(offersPasskeys ? { passkeys: '' } : {}),
          ...challengeField(challenge),
        },
        data: challengeData(challenge),
      },
      html`${passwordOwner(identifier)}${field(frame, errors, { name: 'password', label: text('field.password'), type: 'password', autocomplete: 'current-password', isFocused: true })}${challengeWidget(challenge)}${button(text('password.submit'))}`,
    )}${challengeScript(challenge)}${hasLink && form(frame, { to: at, hidden: { step: 'prepare', strategy: 'email_link' } }, button(text('choose.emailLink'), { kind: 'secondary' }))}${(hasOtherWays || canReset) && html`<p class="row">${canReset && link(frame, '/reset-password', text('signIn.forgotten'))}${hasOtherWays && link(frame, `${at}?with=choose`, text('common.otherWay'))}</p>`}`,
  )
}
