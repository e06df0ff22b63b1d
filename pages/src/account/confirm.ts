// Asks users to prove their identity again before an important change.
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { field, notice, passwordOwner, type FieldErrors } from '../parts/field.ts'
import { button, divider, form, link } from '../parts/form.ts'
import { type ShownProvider, markOf } from '../parts/providers.ts'
import { withAddress } from '../parts/who.ts'
import type { TextKey } from '../texts/catalogue.ts'
import { plainText } from './account-page.ts'

export type ConfirmStrategy = 'email_code' | 'email_link' | 'phone_code' | 'security_key'

export interface ConfirmView {
  readonly name: string
  /** The identifier by which the user signs in, for password managers. */
  readonly identifier: string
  /** The page to which the user returns: a path below the root. */
  readonly returnTo: string
  readonly hasPassword: boolean
  readonly strategies: readonly ConfirmStrategy[]
  readonly providers: readonly ShownProvider[]
  readonly errors?: FieldErrors
}

const labels = {
  email_code: 'choose.emailCode',
  email_link: 'choose.emailLink',
  phone_code: 'choose.phoneCode',
  security_key: 'choose.passkey',
} as const satisfies Readonly<Record<ConfirmStrategy, TextKey>>

export function confirmPage(frame: Frame, view: ConfirmView): string {
  const { text } = frame
  const { name, identifier, returnTo, hasPassword, strategies, providers, errors = {} } = view
  const title = text('confirm.title')
  const hidden = { returnTo }
  const byPassword = form(
    frame,
    { to: '/account/confirm', hidden: { ...hidden, with: 'password' } },
    html`${passwordOwner(identifier)}${field(frame, errors, { name: 'password', label: text('field.password'), type: 'password', autocomplete: 'current-password', isFocused: true })}${button(text('confirm.password'))}`,
  )
  const byStrategy = strategies.map((strategy) =>
    form(
      frame,
      {
        to: '/account/confirm',
        hidden: { ...hidden, with: strategy },
        ...(strategy === 'security_key' ? { className: 'needs-script' } : {}),
      },
      button(plainText(text, labels[strategy]), { kind: 'secondary' }),
    ),
  )
  const byProvider = providers.map((provider) =>
    form(
      frame,
      { to: '/account/confirm', hidden: { ...hidden, with: provider.key } },
      button(text('signIn.withProvider', { provider: provider.name }), {
        kind: 'secondary',
        mark: markOf(provider),
      }),
    ),
  )
  const others = [...byStrategy, ...byProvider]
  const isImpossible = !hasPassword && others.length === 0
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text('confirm.lead'))}${notice(errors['form'])}
      <p class="who"><span>${withAddress((shown) => text('account.lead', { name: shown }), name)}</span></p>
      ${isImpossible && notice(text('confirm.impossible'))}${hasPassword && byPassword}${hasPassword && others.length > 0 && divider(frame)}${others.length > 0 && html`<div class="stack">${others}</div>`}
      <p class="row">${link(frame, '/account', text('account.cancel'))}</p>`,
  )
}
