// What to do at each identity provider, step by step, in the words of its own console.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import type { TextKey } from '../texts/catalogue.ts'
import type { TextValues } from '../texts/text-values.gen.ts'

/** Providers with instructions of their own. */
export const setupProviders = ['okta', 'entra', 'google', 'ping', 'adfs', 'other'] as const
export type SetupProvider = (typeof setupProviders)[number]
export type SetupGuide = 'saml' | 'oidc' | 'scim'

const names: Readonly<Record<Exclude<SetupProvider, 'other'>, string>> = {
  okta: 'Okta',
  entra: 'Microsoft Entra ID',
  google: 'Google Workspace',
  ping: 'Ping Identity',
  adfs: 'AD FS',
}

export const nameOfSetupProvider = ({ text }: Pick<Frame, 'text'>, provider: SetupProvider): string =>
  provider === 'other' ? text('setup.otherProvider') : names[provider]

type Step = Exclude<TextKey, keyof TextValues>

const guides: Readonly<Record<SetupGuide, Readonly<Record<SetupProvider, readonly Step[]>>>> = {
  saml: {
    okta: ['setup.oktaSaml1', 'setup.oktaSaml2', 'setup.oktaSaml3', 'setup.oktaSaml4', 'setup.oktaSaml5'],
    entra: ['setup.entraSaml1', 'setup.entraSaml2', 'setup.entraSaml3', 'setup.entraSaml4', 'setup.entraSaml5'],
    google: ['setup.googleSaml1', 'setup.googleSaml2', 'setup.googleSaml3', 'setup.googleSaml4', 'setup.googleSaml5'],
    ping: ['setup.pingSaml1', 'setup.pingSaml2', 'setup.pingSaml3', 'setup.pingSaml4'],
    adfs: ['setup.adfsSaml1', 'setup.adfsSaml2', 'setup.adfsSaml3', 'setup.adfsSaml4'],
    other: ['setup.otherSaml1', 'setup.otherSaml2', 'setup.otherSaml3'],
  },
  oidc: {
    okta: ['setup.oktaOidc1', 'setup.oktaOidc2', 'setup.oktaOidc3'],
    entra: ['setup.entraOidc1', 'setup.entraOidc2', 'setup.entraOidc3'],
    google: ['setup.googleOidc1', 'setup.googleOidc2', 'setup.googleOidc3'],
    ping: ['setup.pingOidc1', 'setup.pingOidc2', 'setup.pingOidc3'],
    adfs: ['setup.adfsOidc1', 'setup.adfsOidc2', 'setup.adfsOidc3'],
    other: ['setup.otherOidc1', 'setup.otherOidc2'],
  },
  scim: {
    okta: ['setup.oktaScim1', 'setup.oktaScim2', 'setup.oktaScim3', 'setup.oktaScim4'],
    entra: ['setup.entraScim1', 'setup.entraScim2', 'setup.entraScim3'],
    google: ['setup.googleScim1'],
    ping: ['setup.pingScim1', 'setup.pingScim2', 'setup.pingScim3'],
    adfs: ['setup.adfsScim1'],
    other: ['setup.otherScim1', 'setup.otherScim2'],
  },
}

/** The steps for a provider, with links to those for the others; the page decides whose it shows by the query. */
export function guide(frame: Frame, kind: SetupGuide, provider: SetupProvider, path: string): Html {
  const { text, root } = frame
  const others = setupProviders.filter((each) => each !== provider)
  const separator = path.includes('?') ? '&' : '?'
  return html`<section>
    <h2>${text('setup.atProvider')}${provider !== 'other' && `: ${nameOfSetupProvider(frame, provider)}`}</h2>
    <ol>
      ${guides[kind][provider].map((step) => html`<li>${text(step)}</li> `)}
    </ol>
    <p class="hint">
      ${text('setup.guides')}
      ${others.map(
        (each, n) =>
          html`${n > 0 && ' · '}<a href="${root}${path}${separator}provider=${each}"
              >${nameOfSetupProvider(frame, each)}</a
            >`,
      )}
    </p>
  </section> `
}
