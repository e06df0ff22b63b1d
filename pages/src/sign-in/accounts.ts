// The accounts that are signed in in this browser. One of them is chosen, or another one is added.
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { button, form, link } from '../parts/form.ts'
import { withAddress } from '../parts/who.ts'

export interface ShownAccount {
  /** The id of its session. */
  readonly id: string
  readonly name: string
  readonly identifier: string
  readonly isCurrent: boolean
}

export interface AccountsView {
  readonly accounts: readonly ShownAccount[]
  readonly redirectTo: string | undefined
  /** The sign-in page that adds an account. */
  readonly addAt: string
  /** The application that asks for another account than the one that is active. */
  readonly unsuited?: string | undefined
}

function accountItem(frame: Frame, { id, name, identifier, isCurrent }: ShownAccount, redirectTo: string | undefined) {
  const { text } = frame
  const hidden = { redirectTo }
  const label = name === identifier ? name : `${name} (${identifier})`
  const end = button(text('account.signOut'), { kind: 'quiet', spoken: text('accounts.endLabel', { name: label }) })
  return html`<li>
    ${form(frame, { to: `/accounts/${id}/switch`, hidden }, button(label, { kind: isCurrent ? 'primary' : 'secondary' }))}
    <div class="actions">
      ${isCurrent && html`<span class="badge">${text('accounts.current')}</span>`}
      ${form(frame, { to: `/accounts/${id}/end`, hidden }, end)}
    </div>
  </li> `
}

export function accountsPage(frame: Frame, { accounts, redirectTo, addAt, unsuited }: AccountsView): string {
  const { text } = frame
  const title = text('accounts.title')
  const lead =
    unsuited === undefined
      ? undefined
      : withAddress((application) => text('signIn.otherAccount', { application }), unsuited)
  return page(
    frame,
    { title },
    html`${heading(title, lead)}
      <ul class="items">
        ${accounts.map((each) => accountItem(frame, each, redirectTo))}
      </ul>
      <p class="row">${link(frame, addAt, text('signedIn.other'))}${link(frame, '/sign-out', text('signOut.all'))}</p>`,
  )
}
