// The applications with access to the user's account.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { avatar } from '../organizations/shell.ts'
import { ago } from '../parts/times.ts'
import { type AccountView, accountPage } from './account-page.ts'

export interface ShownAuthorization {
  readonly id: string
  readonly name: string
  readonly pictureUri: string | null
  /** The name of the organization that it acts for; null where it acts for the user alone. */
  readonly organization: string | null
  /** Whether the organization's provider lets it act without the user. */
  readonly isAgent: boolean
  readonly createdAt: string
  readonly lastUsedAt: string
}

export interface AppsView extends AccountView {
  readonly apps: readonly ShownAuthorization[]
  readonly now: string
}

function item(frame: Frame, app: ShownAuthorization, now: string): Html {
  const { text, root } = frame
  const { id, name, organization, isAgent, createdAt, lastUsedAt } = app
  const label = text('account.remove')
  const facts = [
    ...(isAgent ? [text('apps.agent')] : []),
    text('apps.allowedAt', { time: ago(frame, createdAt, now) }),
    text('account.lastUsedAt', { time: ago(frame, lastUsedAt, now) }),
  ]
  return html`<li>
    ${avatar(app)}
    <div>
      <p>
        <b><bdi>${name}</bdi></b>
      </p>
      <p class="hint">${organization !== null && html`<bdi>${organization}</bdi> · `}${facts.join(' · ')}</p>
    </div>
    <a href="${root}/account/apps/${id}/remove" aria-label="${label}: ${name}">${label}</a>
  </li> `
}

export function appsPage(frame: Frame, view: AppsView): string {
  const { text } = frame
  const { apps, now } = view
  const isEmpty = apps.length === 0
  return accountPage(
    frame,
    view,
    { title: text('account.apps'), lead: isEmpty ? undefined : text('apps.lead'), section: 'apps' },
    isEmpty
      ? html`<p class="empty">${text('apps.none')}</p>`
      : html`<ul class="list">
          ${apps.map((each) => item(frame, each, now))}
        </ul>`,
  )
}
