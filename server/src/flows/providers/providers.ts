import type { ProviderKey } from '@bailiwick/contract'
import { apple } from './apple.ts'
import { custom } from './custom.ts'
import { facebook } from './facebook.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { google } from './google.ts'
import type { Provider, ProviderSettings } from './provider.ts'

const providers: Readonly<Record<ProviderKey, Provider>> = { google, github, gitlab, apple, facebook }

/** Returns the description of a provider of the service, or the one for all of the tenants' own. */
export const providerOf = ({ key }: Pick<ProviderSettings, 'key'>): Provider =>
  (providers as Readonly<Record<string, Provider | undefined>>)[key] ?? custom
