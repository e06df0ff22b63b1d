// Connecting the organization's identity provider: choosing it, copying values to it and from it, and switching the connection on.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { field } from '../parts/field.ts'
import { button, form, link } from '../parts/form.ts'
import type { TextKey } from '../texts/catalogue.ts'
import { type SetupView, setupPage, stateBadge } from './shell.ts'

/** Providers with instructions of their own. */
export const setupProviders = ['okta', 'entra', 'google', 'ping', 'adfs', 'other'] as const
export type SetupProvider = (typeof setupProviders)[number]

const names: Readonly<Record<Exclude<SetupProvider, 'other'>, string>> = {
  okta: 'Okta',
  entra: 'Microsoft Entra ID',
  google: 'Google Workspace',
  ping: 'Ping Identity',
  adfs: 'AD FS',
}

/** How the issuer is found at each provider. Google has one for all, which nobody has to enter. */
const issuers = {
  okta: 'setup.oktaIssuer',
  entra: 'setup.entraIssuer',
  google: 'setup.googleIssuer',
  ping: 'setup.pingIssuer',
  adfs: 'setup.adfsIssuer',
  other: 'setup.otherIssuer',
} as const satisfies Readonly<Record<SetupProvider, TextKey>>

const clients = {
  okta: 'setup.oktaClient',
  entra: 'setup.entraClient',
  google: 'setup.googleClient',
  ping: 'setup.pingClient',
  adfs: 'setup.adfsClient',
  other: 'setup.otherClient',
} as const satisfies Readonly<Record<SetupProvider, TextKey>>

export const nameOfSetupProvider = ({ text }: Pick<Frame, 'text'>, provider: SetupProvider): string =>
  provider === 'other' ? text('setup.otherProvider') : names[provider]

const section = 'connection'

export function chooseProviderPage(frame: Frame, view: SetupView): string {
  const { text } = frame
  return setupPage(
    frame,
    view,
    { title: text('setup.connection'), lead: text('setup.chooseLead'), section },
    html`<ul class="list plain">
      ${setupProviders.map(
        (provider) =>
          html`<li>
            <p>${link(frame, `/setup/connection/${provider}`, nameOfSetupProvider(frame, provider))}</p>
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
  return setupPage(
    frame,
    view,
    { title: nameOfSetupProvider(frame, provider), lead: text(issuers[provider]), section },
    form(
      frame,
      { to: `/setup/connection/${provider}` },
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
      }${button(text('common.continue'))}`,
    ),
  )
}

export interface SetupConnectionView extends SetupView {
  readonly provider: SetupProvider
  readonly state: 'draft' | 'tested' | 'live' | 'off'
  readonly issuer: string
  readonly callbackUri: string
  readonly clientId: string
  readonly hasSecret: boolean
  /** The path that begins a test; undefined until the client is entered. */
  readonly canTest: boolean
}

const stateTexts = {
  draft: 'setup.stateDraft',
  tested: 'setup.stateTested',
  live: 'setup.stateLive',
  off: 'setup.stateOff',
} as const satisfies Readonly<Record<SetupConnectionView['state'], TextKey>>

const values = ({ text }: Frame, { issuer, callbackUri }: SetupConnectionView): Html =>
  html`<dl class="record">
    <div>
      <dt>${text('setup.callbackUri')}</dt>
      <dd><code dir="ltr">${callbackUri}</code></dd>
    </div>
    <div>
      <dt>${text('setup.issuer')}</dt>
      <dd><code dir="ltr">${issuer}</code></dd>
    </div>
  </dl> `

const clientForm = (frame: Frame, view: SetupConnectionView): Html =>
  form(
    frame,
    { to: '/setup/connection', hidden: { action: 'client' } },
    html`${field(frame, view.errors ?? {}, {
      name: 'clientId',
      label: frame.text('setup.clientId'),
      type: 'text',
      autocomplete: 'off',
      maxlength: 512,
      value: view.clientId,
    })}${field(frame, view.errors ?? {}, {
      name: 'clientSecret',
      label: frame.text('setup.clientSecret'),
      type: 'password',
      autocomplete: 'off',
      maxlength: 8192,
      isOptional: view.hasSecret,
      ...(view.hasSecret ? { hint: frame.text('setup.secretKept') } : {}),
    })}${button(frame.text('setup.save'), { kind: view.canTest ? 'secondary' : 'primary' })}`,
  )

const action = (frame: Frame, value: string, label: TextKey, kind: 'primary' | 'secondary') =>
  form(
    frame,
    { to: '/setup/connection', hidden: { action: value } },
    button((frame.text as (key: TextKey) => string)(label), { kind }),
  )

function actions(frame: Frame, { state, canTest }: SetupConnectionView): Html {
  return html`${canTest && action(frame, 'test', 'setup.test', state === 'draft' ? 'primary' : 'secondary')}${(state === 'tested' || state === 'off') && action(frame, 'on', 'setup.switchOn', 'primary')}${state === 'live' && action(frame, 'off', 'setup.switchOff', 'secondary')}`
}

export function setupConnectionPage(frame: Frame, view: SetupConnectionView): string {
  const { text } = frame
  const { provider, state } = view
  return setupPage(
    frame,
    view,
    { title: nameOfSetupProvider(frame, provider), lead: text(clients[provider]), section },
    html`<p>${stateBadge(text(stateTexts[state]), state === 'live')}</p>
      ${values(frame, view)}${clientForm(frame, view)}${actions(frame, view)}`,
  )
}
