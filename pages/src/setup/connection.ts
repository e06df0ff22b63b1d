// Choosing the organization's identity provider, and what its connection has whatever its protocol is: states, tests, removal.
import type { Frame } from '../frame.ts'
import { type Html, type Shown, html } from '../html.ts'
import { field } from '../parts/field.ts'
import { button, form, link } from '../parts/form.ts'
import type { TextKey } from '../texts/catalogue.ts'
import { type SetupProvider, guide, nameOfSetupProvider, setupProviders } from './guides.ts'
import { type SetupView, setupPage, setupPath, stateBadge, values } from './shell.ts'

/** How the issuer is found at each provider. Google has one for all, which nobody has to enter. */
const issuers = {
  okta: 'setup.oktaIssuer',
  entra: 'setup.entraIssuer',
  google: 'setup.googleIssuer',
  ping: 'setup.pingIssuer',
  adfs: 'setup.adfsIssuer',
  other: 'setup.otherIssuer',
} as const satisfies Readonly<Record<SetupProvider, TextKey>>

const section = 'connection'

export function chooseProviderPage(frame: Frame, view: SetupView): string {
  const { text } = frame
  const path = setupPath(view, section)
  return setupPage(
    frame,
    view,
    { title: text('setup.connection'), lead: text('setup.chooseLead'), section },
    html`<ul class="list plain">
      ${setupProviders.map(
        (provider) =>
          html`<li>
            <p>${link(frame, `${path}/${provider}`, nameOfSetupProvider(frame, provider))}</p>
          </li> `,
      )}
    </ul>`,
  )
}

export interface NewConnectionView extends SetupView {
  readonly provider: SetupProvider
  /** The text that the reader entered. */
  readonly issuer?: string | undefined
}

export function newConnectionPage(frame: Frame, view: NewConnectionView): string {
  const { text } = frame
  const { provider, issuer, errors = {} } = view
  const isEntra = provider === 'entra'
  const to = `${setupPath(view, section)}/${provider}`
  return setupPage(
    frame,
    view,
    { title: nameOfSetupProvider(frame, provider), lead: text('setup.protocolLead'), section },
    html`<section>
        <h2>SAML 2.0</h2>
        <p class="hint">${text('setup.samlAbout')}</p>
        ${form(frame, { to, hidden: { protocol: 'saml' } }, button(text('setup.useSaml')))}
      </section>
      <section>
        <h2>OpenID Connect</h2>
        <p class="hint">${text(issuers[provider])}</p>
        ${form(
          frame,
          { to, hidden: { protocol: 'oidc' } },
          html`${
            provider !== 'google' &&
            field(frame, errors, {
              name: 'issuer',
              label: text(isEntra ? 'setup.directoryId' : 'setup.issuer'),
              type: isEntra ? 'text' : 'url',
              autocomplete: 'off',
              maxlength: 512,
              ...(issuer === undefined ? {} : { value: issuer }),
            })
          }${button(text('setup.useOidc'), { kind: 'secondary' })}`,
        )}
      </section>`,
  )
}

type ConnectionState = 'draft' | 'tested' | 'live' | 'off'

/** What the provider said of the person who has tested the connection. */
export interface ShownReport {
  readonly subject: string | null
  readonly email: string | null
  readonly name: string | null
  /** What rules can compare. */
  readonly claims: readonly (readonly [name: string, value: string])[]
}

export interface AnyConnectionView extends SetupView {
  readonly id: string
  /** Whose instructions are shown. */
  readonly provider: SetupProvider
  readonly state: ConnectionState
  readonly canTest: boolean
  readonly report?: ShownReport | undefined
  /** All connections of the organization, if it has several. */
  readonly others: readonly { readonly id: string; readonly name: string; readonly state: ConnectionState }[]
}

const stateTexts = {
  draft: 'setup.stateDraft',
  tested: 'setup.stateTested',
  live: 'setup.stateLive',
  off: 'setup.stateOff',
} as const satisfies Readonly<Record<ConnectionState, TextKey>>

const actionTexts = {
  test: 'setup.test',
  on: 'setup.switchOn',
  off: 'setup.switchOff',
} as const satisfies Readonly<Record<string, TextKey>>

/** Where the forms of a connection are sent, and which one they are about. */
export const connectionForm = (view: AnyConnectionView, action: string) => ({
  to: setupPath(view, section),
  hidden: { action, id: view.id, provider: view.provider },
})

function actions(frame: Frame, view: AnyConnectionView): Html {
  const { state, canTest } = view
  const action = (name: keyof typeof actionTexts, kind: 'primary' | 'secondary') =>
    form(frame, connectionForm(view, name), button(frame.text(actionTexts[name]), { kind }))
  return html`${state === 'draft' && canTest && html`<p class="hint">${frame.text('setup.testHint')}</p> `}${canTest && action('test', state === 'draft' ? 'primary' : 'secondary')}${(state === 'tested' || state === 'off') && action('on', 'primary')}${state === 'live' && action('off', 'secondary')}`
}

function reportSection({ text }: Frame, { report }: AnyConnectionView): Html | false {
  if (report === undefined) return false
  const { subject, email, name, claims } = report
  const known = [
    [text('setup.subject'), subject],
    [text('setup.email'), email],
    [text('setup.personName'), name],
  ] as const
  return html`<details>
    <summary>${text('setup.sent')}</summary>
    ${values([...known.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const])), ...claims])}
  </details> `
}

function removal(frame: Frame, view: AnyConnectionView): Html | false {
  const { text } = frame
  return (
    view.state !== 'live' &&
    html`<details>
      <summary>${text('setup.remove')}</summary>
      ${form(
        frame,
        connectionForm(view, 'remove'),
        html`<p class="hint">${text('setup.removeHint')}</p>
          ${button(text('setup.remove'), { kind: 'danger' })}`,
      )}
    </details> `
  )
}

function otherConnections(frame: Frame, view: AnyConnectionView): Html {
  const { text } = frame
  const path = setupPath(view, section)
  return html`${
      view.others.length > 1 &&
      html`<h2>${text('setup.otherConnections')}</h2>
        <ul class="list plain">
          ${view.others.map(
            ({ id, name, state }) =>
              html`<li>
                <div>${link(frame, `${path}?id=${id}`, name)}</div>
                ${stateBadge(text(stateTexts[state]), state === 'live')}
              </li> `,
          )}
        </ul>`
    }
    <p>${link(frame, `${path}/new`, text('setup.addConnection'))}</p>`
}

/** The page of a connection, around what only its protocol has. */
export function anyConnectionPage(
  frame: Frame,
  view: AnyConnectionView,
  protocol: { readonly kind: 'saml' | 'oidc'; readonly content: Shown },
): string {
  const { text } = frame
  const { id, provider, state } = view
  const title = provider === 'other' ? text('setup.connection') : nameOfSetupProvider(frame, provider)
  return setupPage(
    frame,
    view,
    { title, section },
    html`<p>${stateBadge(text(stateTexts[state]), state === 'live')}</p>
      ${guide(frame, protocol.kind, provider, `${setupPath(view, section)}?id=${id}`)}${protocol.content}${actions(frame, view)}${reportSection(frame, view)}${removal(frame, view)}${otherConnections(frame, view)}`,
  )
}
