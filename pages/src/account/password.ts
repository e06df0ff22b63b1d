// Sets the first password, changes it, or removes it.
import { type Frame } from '../frame.ts'
import { html } from '../html.ts'
import { field, passwordOwner } from '../parts/field.ts'
import { button, form, link } from '../parts/form.ts'
import { type AccountView, accountPage } from './account-page.ts'

export interface OwnPasswordView extends AccountView {
  readonly hasPassword: boolean
  readonly canRemove: boolean
  readonly lengthMin: number
  /** The identifier by which the user signs in, for password managers. */
  readonly identifier: string
}

export function ownPasswordPage(frame: Frame, view: OwnPasswordView): string {
  const { text } = frame
  const { hasPassword, canRemove, lengthMin, identifier, errors = {} } = view
  const current =
    hasPassword &&
    field(frame, errors, {
      name: 'oldPassword',
      label: text('ownPassword.current'),
      type: 'password',
      autocomplete: 'current-password',
    })
  const next = field(frame, errors, {
    name: 'password',
    label: text('field.newPassword'),
    type: 'password',
    autocomplete: 'new-password',
    hint: text('field.passwordHint', { count: lengthMin }),
    minlength: lengthMin,
  })
  return accountPage(
    frame,
    view,
    {
      title: text(hasPassword ? 'ownPassword.changeTitle' : 'ownPassword.setTitle'),
      lead: text(hasPassword ? 'ownPassword.sessionsEnd' : 'ownPassword.setLead'),
      section: 'password',
    },
    html`${form(
      frame,
      { to: '/account/password' },
      html`${passwordOwner(identifier)}${current}${next}${button(text('ownPassword.submit'))}`,
    )}${canRemove && html`<p class="row">${link(frame, '/account/password/remove', text('ownPassword.remove'))}</p>`}`,
  )
}
