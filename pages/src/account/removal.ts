// Asks for confirmation before something is removed: one page for addresses, numbers, passkeys, connections, the password and the app.
import { type Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { button, form } from '../parts/form.ts'
import { type AccountView, accountPage } from './account-page.ts'
import { type AccountSection, accountSections } from './sections.ts'

export interface RemovalView extends AccountView {
  readonly section: AccountSection
  readonly title: string
  readonly lead: Html | string
  readonly submit: string
  /** The path to which the form is sent. */
  readonly to: string
}

export function removalPage(frame: Frame, view: RemovalView): string {
  const { title, lead, section, submit, to } = view
  const { text, root } = frame
  return accountPage(
    frame,
    view,
    { title, lead, section },
    html`${form(frame, { to }, button(submit, { kind: 'danger' }))}
      <a class="button secondary" href="${root}${accountSections[section].path}">${text('account.cancel')}</a>`,
  )
}
