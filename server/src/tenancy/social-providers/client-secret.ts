// A provider's client secret, bound to its row. For Apple it is the private key that signs the secret. Tenants send it in `config` beside
// its ids, from which it is removed before anything is stored.
import type { UpdateSocialProvider } from '@bailiwick/contract'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import type { SocialProviderRow } from './queries.ts'
import { socialProviders } from './tables.ts'

type Place = Pick<SocialProviderRow, 'tenant_id' | 'id'>

const placeOf = (row: Place) => socialProviders.place('sealed_client_secret', row)

export const sealClientSecret = (sealer: Sealer, row: Place, secret: string) => sealer.seal(secret, placeOf(row))

export const openClientSecret = (sealer: Sealer, row: Place & Pick<SocialProviderRow, 'sealed_client_secret'>) =>
  row.sealed_client_secret === null ? null : sealer.open(row.sealed_client_secret, placeOf(row))

/** Returns the input with a private key of `config` moved to the place where other providers have their client secret. */
export function withPrivateKeyAsSecret<Input extends UpdateSocialProvider>(input: Input): Input {
  const { config } = input
  if (typeof config !== 'object' || config === null || !('privateKey' in config)) return input
  const { privateKey, ...rest } = config as Record<string, unknown>
  return { ...input, config: rest, ...(typeof privateKey === 'string' ? { clientSecret: privateKey } : {}) }
}
