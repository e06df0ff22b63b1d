// The deployment's own clients at social providers, for tenants without their own. The contract lists the providers.
import { type ProviderKey, providerKeys, socialProvider, type socialProviders } from '@bailiwick/contract'
import { matching, optional, refuse } from './config-variable.ts'
import { Secret } from './crypto/secret.ts'

const oauthText = matching(/^[!-~]{1,512}$/, 'must be visible ASCII characters, at most 512')

function oauthSecret(text: string): Secret {
  if (!/^[!-~]{8,512}$/.test(text)) refuse('must be 8 to 512 visible ASCII characters')
  return new Secret(text)
}

function pemPrivateKey(text: string): Secret {
  if (!/^-----BEGIN PRIVATE KEY-----[\s\w+/=]+-----END PRIVATE KEY-----\s*$/.test(text)) {
    refuse('must be a private key in PEM, as PKCS #8')
  }
  return new Secret(text)
}

type SettingKey<Key extends ProviderKey> = (typeof socialProviders)[Key] extends {
  readonly settings: readonly { readonly key: infer Setting extends string }[]
}
  ? Setting
  : never
type TextKey = { [Key in ProviderKey]: `oauth.${Key}.${'clientId' | SettingKey<Key>}` }[ProviderKey]
type SecretKey = `oauth.${ProviderKey}.clientSecret`

const text = (name: string, description: string) => optional({ name, parse: oauthText, description })
const secret = (name: string, parse: (text: string) => Secret, description: string) =>
  optional({ name, isSecret: true, parse, description })

type OAuthVariables = { readonly [Key in TextKey]: ReturnType<typeof text> } & {
  readonly [Key in SecretKey]: ReturnType<typeof secret>
}

/** Returns the keys of a provider's variables in `oauthVariables`, by the property of its client that each sets. */
export function oauthKeysOf(provider: ProviderKey): Readonly<Record<string, TextKey | SecretKey>> {
  const properties = ['clientId', 'clientSecret', ...(socialProvider(provider).settings ?? []).map(({ key }) => key)]
  return Object.fromEntries(
    properties.map((property) => [property, `oauth.${provider}.${property}` as TextKey | SecretKey]),
  )
}

function variablesOf(provider: ProviderKey) {
  const { name, hasPrivateKey, settings = [] } = socialProvider(provider)
  const place = `BAILIWICK_OAUTH_${provider.toUpperCase()}`
  const ofSecret =
    hasPrivateKey === true
      ? secret(
          `${place}_CLIENT_SECRET`,
          pemPrivateKey,
          `The private key (PEM) from ${name}. Set all ${2 + settings.length} ${provider.toUpperCase()} variables or none.`,
        )
      : secret(`${place}_CLIENT_SECRET`, oauthSecret, 'The secret of that client. Set it together with the client ID.')
  return [
    [
      `oauth.${provider}.clientId`,
      text(`${place}_CLIENT_ID`, `The client ID at ${name} for tenants without a client of their own.`),
    ],
    [`oauth.${provider}.clientSecret`, ofSecret],
    ...settings.map(({ key, meaning }) => [
      `oauth.${provider}.${key}`,
      text(`${place}_${key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`, meaning),
    ]),
  ]
}

export const oauthVariables = Object.fromEntries(providerKeys.flatMap(variablesOf)) as OAuthVariables
