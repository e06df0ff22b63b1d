// The devices on which the user is signed in.
import { type Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { button, form } from '../parts/form.ts'
import { ago } from '../parts/times.ts'
import { type AccountView, accountPage } from './account-page.ts'

export interface ShownSession {
  readonly id: string
  readonly browser: string | null
  readonly os: string | null
  readonly ip: string | null
  readonly isCurrent: boolean
  readonly lastActiveAt: string
  readonly createdAt: string
}

/** A device on which the user is not asked for a second factor. */
export interface ShownTrustedDevice extends Pick<ShownSession, 'id' | 'browser' | 'os' | 'isCurrent' | 'createdAt'> {}

export interface SessionsView extends AccountView {
  readonly trustedDevices?: readonly ShownTrustedDevice[]
  readonly sessions: readonly ShownSession[]
  readonly now: string
}

function deviceOf({ text }: Frame, { browser, os }: Pick<ShownSession, 'browser' | 'os'>): string {
  if (browser !== null && os !== null) return text('sessions.device', { browser, os })
  return browser ?? os ?? text('sessions.unknown')
}

function sessionItem(frame: Frame, session: ShownSession, now: string): Html {
  const { text } = frame
  const { id, isCurrent, ip, lastActiveAt, createdAt } = session
  const device = deviceOf(frame, session)
  const facts = [
    ...(isCurrent ? [] : [text('sessions.activeAt', { time: ago(frame, lastActiveAt, now) })]),
    text('sessions.startedAt', { time: ago(frame, createdAt, now) }),
  ]
  const end = button(text('sessions.end'), { kind: 'quiet', spoken: text('sessions.endLabel', { device }) })
  return html`<li>
    <p><span>${device}</span> ${isCurrent && html`<span class="badge">${text('sessions.current')}</span>`}</p>
    <p class="hint">${facts.join(' · ')}${ip !== null && html` · <bdi>${ip}</bdi>`}</p>
    ${!isCurrent && html`<div class="actions">${form(frame, { to: `/account/sessions/${id}/end` }, end)}</div>`}
  </li> `
}

function trustedItem(frame: Frame, trusted: ShownTrustedDevice, now: string): Html {
  const { text } = frame
  const { id, isCurrent, createdAt } = trusted
  const device = deviceOf(frame, trusted)
  const end = button(text('trusted.remove'), { kind: 'quiet', spoken: text('trusted.removeLabel', { device }) })
  return html`<li>
    <p><span>${device}</span> ${isCurrent && html`<span class="badge">${text('sessions.current')}</span>`}</p>
    <p class="hint">${text('sessions.startedAt', { time: ago(frame, createdAt, now) })}</p>
    <div class="actions">${form(frame, { to: `/account/sessions/trusted/${id}` }, end)}</div>
  </li> `
}

export function sessionsPage(frame: Frame, view: SessionsView): string {
  const { text } = frame
  const { sessions, now, trustedDevices = [] } = view
  const others = form(
    frame,
    { to: '/account/sessions/end-others' },
    button(text('sessions.endOthers'), { kind: 'secondary' }),
  )
  return accountPage(
    frame,
    view,
    { title: text('account.sessions'), lead: text('sessions.lead'), section: 'sessions' },
    html`<ul class="items">
        ${sessions.map((each) => sessionItem(frame, each, now))}
      </ul>
      ${sessions.some(({ isCurrent }) => !isCurrent) && others}${
        trustedDevices.length > 0 &&
        html`<h2>${text('trusted.title')}</h2>
          <ul class="items">
            ${trustedDevices.map((each) => trustedItem(frame, each, now))}
          </ul>`
      }`,
  )
}
