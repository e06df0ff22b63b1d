// Provisioning by the organization's directory: its address, its tokens, and what the directory has last changed.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { button, form } from '../parts/form.ts'
import { ago } from '../parts/times.ts'
import { type SetupProvider, guide } from './guides.ts'
import { type SetupView, setupPage, setupPath, stateBadge, values } from './shell.ts'

export interface ShownScimToken {
  readonly id: string
  readonly last4: string
  readonly lastUsedAt: string | null
}

export interface ShownScimRequest {
  readonly at: string
  readonly method: string
  readonly resource: string
  readonly status: number
  readonly reason: string | null
}

export interface SetupScimView extends SetupView {
  readonly connectionId: string
  readonly provider: SetupProvider
  readonly baseUri: string
  readonly tokens: readonly ShownScimToken[]
  readonly requests: readonly ShownScimRequest[]
  readonly now: string
  /** A token that was just created, which no other page shows. */
  readonly newToken?: string | undefined
  readonly canCreate: boolean
  /** Whether nobody can be provisioned yet, because no domain is verified. */
  readonly needsDomain: boolean
}

const section = 'scim'

function tokenItem(frame: Frame, view: SetupScimView, { id, last4, lastUsedAt }: ShownScimToken): Html {
  const { text } = frame
  const used =
    lastUsedAt === null ? text('setup.scimUnused') : text('setup.scimUsed', { time: ago(frame, lastUsedAt, view.now) })
  return html`<li>
    <div>
      <p>${text('setup.scimEnding', { last4 })}</p>
      <p class="hint">${used}</p>
    </div>
    ${form(
      frame,
      { to: setupPath(view, section), hidden: { action: 'revoke', id: view.connectionId, tokenId: id } },
      button(text('setup.scimRevoke'), { kind: 'quiet', spoken: text('setup.scimRevokeLabel', { last4 }) }),
    )}
  </li> `
}

function requestItem(frame: Frame, { at, method, resource, status, reason }: ShownScimRequest, now: string): Html {
  const { text } = frame
  const isAccepted = status < 400
  return html`<li>
    <div>
      <p><code dir="ltr">${method} ${resource}</code></p>
      <p class="hint">${ago(frame, at, now)}${reason !== null && html` · <bdi>${reason}</bdi>`}</p>
    </div>
    ${stateBadge(isAccepted ? text('setup.scimAccepted') : text('setup.scimRefused', { status: String(status) }), isAccepted)}
  </li> `
}

const list = (items: readonly Html[], none: string): Html =>
  items.length === 0
    ? html`<p class="hint">${none}</p> `
    : html`<ul class="list plain">
        ${items}
      </ul> `

export function setupScimPage(frame: Frame, view: SetupScimView): string {
  const { text } = frame
  const { connectionId, provider, baseUri, tokens, requests, now, newToken, canCreate, needsDomain } = view
  const create = form(
    frame,
    { to: setupPath(view, section), hidden: { action: 'create', id: connectionId } },
    button(text('setup.scimCreate'), { kind: tokens.length === 0 ? 'primary' : 'secondary' }),
  )
  return setupPage(
    frame,
    view,
    { title: text('setup.provisioning'), lead: text('setup.scimLead'), section },
    html`${needsDomain && html`<p class="hint">${text('setup.scimNeedsDomain')}</p> `}${
        newToken !== undefined &&
        html`<section>
          <h2>${text('setup.scimNewTitle')}</h2>
          <p>${text('setup.scimNewLead')}</p>
          ${values([[text('setup.scimToken'), newToken]])}
        </section> `
      }${values([[text('setup.scimBase'), baseUri]])}${tokens.length === 0 && html`<p class="hint">${text('setup.scimTokenFirst')}</p> `}${guide(frame, 'scim', provider, `${setupPath(view, section)}?id=${connectionId}`)}
      <section>
        <h2>${text('setup.scimTokens')}</h2>
        ${list(
          tokens.map((token) => tokenItem(frame, view, token)),
          text('setup.scimNoToken'),
        )}${canCreate ? create : html`<p class="hint">${text('setup.scimFull')}</p> `}
      </section>
      <section>
        <h2>${text('setup.scimRequests')}</h2>
        ${list(
          requests.map((request) => requestItem(frame, request, now)),
          text('setup.scimNoRequests'),
        )}
      </section>`,
  )
}

/** For as long as there is no connection to which a directory could belong. */
export function setupScimWaitingPage(frame: Frame, view: SetupView): string {
  const { text } = frame
  return setupPage(
    frame,
    view,
    { title: text('setup.provisioning'), lead: text('setup.scimLead'), section },
    html`<p class="hint">${text('setup.scimNeedsConnection')}</p>`,
  )
}
