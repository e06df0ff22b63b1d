// The accounts at social providers by which the user signs in.
import type { ProviderAccess } from '@bailiwick/contract'
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
  /** What the tenant keeps. */
  readonly access: ProviderAccess | null
}

export interface ConnectionsView extends AccountView {
  readonly connections: readonly ShownConnection[]
  /** The providers that can still be connected. */
  readonly providers: readonly ShownProvider[]
  /** The providers at which users can let the tenant act for them. */
  readonly offers: readonly { readonly provider: ShownProvider }[]
  readonly now: string
}

/** The names that a provider has for what it allows. */
const scopeNames = (scopes: readonly string[]): Html =>
  html`<ul class="asked">
    ${scopes.map((scope) => html`<li><code dir="ltr">${scope}</code></li> `)}
  </ul> `

function accessPart(frame: Frame, { provider, access }: ShownConnection, now: string): Html | false {
  if (access === null) return false
  const { text, tenant } = frame
  const { scopes, state, createdAt, lastUsedAt } = access
  const facts = [
    text('apps.allowedAt', { time: ago(frame, createdAt, now) }),
    ...(lastUsedAt === null ? [] : [text('account.lastUsedAt', { time: ago(frame, lastUsedAt, now) })]),
  ]
  return html`<p>
      ${
        state === 'active'
          ? text('connections.access', { tenant: tenant?.name ?? '' })
          : text('connections.accessLapsed', { provider: provider.name })
      }
    </p>
    <p>${scopes.map((scope) => html`<code dir="ltr">${scope}</code> `)}</p>
    <p class="hint">${facts.join(' · ')}</p> `
}

function connectionItem(frame: Frame, connection: ShownConnection, now: string): Html {
  const { id, provider, email, createdAt, access } = connection
  const { text, root } = frame
  const withdraw = text('apps.removeSubmit')
  const { name } = provider
  const label = text('connections.disconnect')
  return html`<li>
    <p class="provider">${markOf(provider)}<bdi>${name}</bdi></p>
    <p class="hint">
      ${email !== null && html`<bdi>${email}</bdi> · `}${text('account.addedAt', { time: ago(frame, createdAt, now) })}
    </p>
    ${accessPart(frame, connection, now)}
    <div class="actions">
      ${
        access !== null &&
        html`<a href="${root}/account/connections/${id}/withdraw" aria-label="${withdraw}: ${name} ${email ?? ''}"
          >${withdraw}</a
        > `
      }
      <a href="${root}/account/connections/${id}/remove" aria-label="${label}: ${name} ${email ?? ''}">${label}</a>
    </div>
  </li> `
}

export function connectionsPage(frame: Frame, view: ConnectionsView): string {
  const { text, root, tenant } = frame
  const { connections, providers, offers, now } = view
  const allowed = offers.map(
    ({ provider }) =>
      html`<a class="button secondary" href="${root}/account/connections/allow/${provider.key}"
        >${markOf(provider)}${text('connections.allow', { tenant: tenant?.name ?? '', provider: provider.name })}</a
      > `,
  )
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
    }${buttons.length > 0 && form(frame, { to: '/account/connections' }, html`<div class="stack">${buttons}</div>`)}${allowed.length > 0 && html`<div class="stack">${allowed}</div>`}`,
  )
}

export interface ProviderAccessView extends AccountView {
  readonly provider: ShownProvider
  /** What is asked for beside what sign-in needs. */
  readonly scopes: readonly string[]
  /** The path to which the form is sent. */
  readonly to: string
  /** Where the browser goes that does not agree; undefined for the page of connections. */
  readonly cancelTo: string | undefined
}

/** Asks whether the tenant may act for the user at a provider, before the browser goes there. */
export function providerAccessPage(frame: Frame, view: ProviderAccessView): string {
  const { text, root } = frame
  const { provider, scopes, to, cancelTo = `${root}/account/connections` } = view
  const tenant = frame.tenant?.name ?? ''
  return accountPage(
    frame,
    view,
    {
      title: text('connections.allow', { tenant, provider: provider.name }),
      lead: text('connections.allowLead', { tenant, provider: provider.name }),
      section: 'connections',
    },
    html`${scopes.length > 0 && scopeNames(scopes)}
      <p>${text('consent.removable')}</p>
      ${form(frame, { to }, button(text('consent.allow')))}
      <a class="button secondary" href="${cancelTo}">${text('consent.deny')}</a>`,
  )
}
