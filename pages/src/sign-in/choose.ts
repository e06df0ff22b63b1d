// The ways of signing in that the tenant offers for an identifier. They are the same whether or not an account has it.
import type { SignInStrategy } from '@bailiwick/contract'
import { type Frame, heading, page } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { type FieldErrors, firstError, notice } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { who } from '../parts/who.ts'
import type { TextKey } from '../texts/catalogue.ts'

export interface ChooseView {
  readonly attemptId: string
  readonly identifier: string
  readonly strategies: readonly SignInStrategy[]
  readonly errors?: FieldErrors
  readonly startAt: string
}

const labels = {
  username_password: 'choose.password',
  email_password: 'choose.password',
  phone_password: 'choose.password',
  email_code: 'choose.emailCode',
  email_link: 'choose.emailLink',
  phone_code: 'choose.phoneCode',
  security_key: 'choose.passkey',
} as const satisfies Partial<Record<SignInStrategy, TextKey>>

const isChoice = (strategy: SignInStrategy): strategy is keyof typeof labels => strategy in labels

export function choosePage(frame: Frame, view: ChooseView): string {
  const { attemptId, identifier, strategies, errors = {}, startAt } = view
  const { text } = frame
  const title = text('choose.title')
  const to = `/sign-in/${attemptId}`
  const choice = (strategy: keyof typeof labels): Html =>
    form(
      frame,
      {
        to,
        hidden: { step: 'prepare', strategy },
        ...(strategy === 'security_key' ? { className: 'needs-script' } : {}),
      },
      button(text(labels[strategy]), { kind: 'secondary' }),
    )
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title)}${notice(firstError(errors))}${who(frame, identifier, startAt)}
      <div class="stack">${strategies.filter(isChoice).map(choice)}</div>`,
  )
}
