// A provider's client secret, bound to its row. Of Apple it is the private key that makes the secret, which tenants write into `config`
// beside its ids: it is taken out of there before anything is stored.
import type { UpdateSocialProvider } from '@bailiwick/contract'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import type { SocialProviderId, TenantId } from '../../platform/ids.ts'
import type { SocialProviderRow } from './queries.ts'

const sealedRow = (tenantId: TenantId, id: SocialProviderId) => `social_providers:${tenantId}:${id}:client_secret`

type Place = Pick<SocialProviderRow, 'tenant_id' | 'id'>

export const sealClientSecret = (sealer: Sealer, { tenant_id: tenantId, id }: Place, secret: string) =>
  sealer.seal(secret, sealedRow(tenantId, id))

export const openClientSecret = (
  sealer: Sealer,
  { tenant_id: tenantId, id, sealed_client_secret: sealed }: Place & Pick<SocialProviderRow, 'sealed_client_secret'>,
) => (sealed === null ? null : sealer.open(sealed, sealedRow(tenantId, id)))

/** The input with a private key of `config` where other providers have their client secret. */
export function withPrivateKeyAsSecret<Input extends UpdateSocialProvider>(input: Input): Input {
  const { config } = input
  if (typeof config !== 'object' || config === null || !('privateKey' in config)) return input
  const { privateKey, ...rest } = config as Record<string, unknown>
  return { ...input, config: rest, ...(typeof privateKey === 'string' ? { clientSecret: privateKey } : {}) }
}
