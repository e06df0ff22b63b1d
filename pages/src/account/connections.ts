// The accounts at social providers by which the user signs in.
import { type Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { button, form } from '../parts/form.ts'
import { type ShownProvider, markOf } from '../parts/providers.ts'
import { ago } from '../parts/times.ts'
import { type AccountView, accountPage } from './account-page.ts'

export interface ShownConnection {
  readonly id: string
  readonly provider: ShownProvider
  readonly email: string | null
  readonly createdAt: string
}

export interface ConnectionsView extends AccountView {
  readonly connections: readonly ShownConnection[]
  /** The providers that can still be connected. */
  readonly providers: readonly ShownProvider[]
  readonly now: string
}

function connectionItem(frame: Frame, { id, provider, email, createdAt }: ShownConnection, now: string): Html {
  const { text, root } = frame
  const { name } = provider
  const label = text('connections.disconnect')
  return html`<li>
    <p class="provider">${markOf(provider)}<bdi>${name}</bdi></p>
    <p class="hint">
      ${email !== null && html`<bdi>${email}</bdi> · `}${text('account.addedAt', { time: ago(frame, createdAt, now) })}
    </p>
    <div class="actions">
      <a href="${root}/account/connections/${id}/remove" aria-label="${label}: ${name} ${email ?? ''}">${label}</a>
    </div>
  </li> `
}

export function connectionsPage(frame: Frame, view: ConnectionsView): string {
  const { text } = frame
  const { connections, providers, now } = view
  const buttons = providers.map((provider) =>
    button(text('connections.connect', { provider: provider.name }), {
      name: 'provider',
      value: provider.key,
      kind: 'secondary',
      mark: markOf(provider),
    }),
  )
  return accountPage(
    frame,
    view,
    { title: text('account.connections'), lead: text('connections.lead'), section: 'connections' },
    html`${
      connections.length === 0
        ? html`<p class="empty">${text('account.none')}</p>`
        : html`<ul class="items">
            ${connections.map((each) => connectionItem(frame, each, now))}
          </ul> `
    }${buttons.length > 0 && form(frame, { to: '/account/connections' }, html`<div class="stack">${buttons}</div>`)}`,
  )
}
