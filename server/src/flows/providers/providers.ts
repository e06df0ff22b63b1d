import type { ProviderKey } from '@bailiwick/contract'
import { apple } from './apple.ts'
import { facebook } from './facebook.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { google } from './google.ts'
import { userOfOpenId } from './provider-user.ts'
import type { Provider, ProviderSettings } from './provider.ts'

/**
 * An OpenID provider that a tenant has set up by its issuer, which its settings name. `sub` alone says who somebody is: a claim that users
 * can change at the provider, such as an address, would let them become somebody else here.
 */
const custom: Provider = { baseUrl: '', scopes: ['openid'], readUser: userOfOpenId }

const providers: Readonly<Record<ProviderKey, Provider>> = { google, github, gitlab, apple, facebook }

/** Returns the description of a provider of the service, or the one for all of the tenants' own. */
export const providerOf = ({ key }: Pick<ProviderSettings, 'key'>): Provider =>
  (providers as Readonly<Record<string, Provider | undefined>>)[key] ?? custom
