// A tenant's settings of a provider, with the deployment's own client if the tenant has none.
import { isWebUri } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { Config } from '../../platform/config.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { type JsonText, fromJson } from '../../platform/json-text.ts'
import { openCustomSecret } from '../../tenancy/custom-providers/find-custom-provider.ts'
import { claimsOf } from '../../tenancy/custom-providers/present.ts'
import { openClientSecret } from '../../tenancy/social-providers/client-secret.ts'
import {
  type CustomProviderRow,
  type FoundProvider,
  type SocialProviderRow,
  isCustomProvider,
} from '../../tenancy/social-providers/find-provider.ts'
import { recordOf } from './provider-user.ts'
import type { ProviderSettings } from './provider.ts'

const scope = /^[!#-[\]-~]{1,256}$/

const jsonOf = (text: JsonText<unknown> | null) => (text === null ? null : fromJson(text))
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** RFC 6749 §3.3; a list, or one text with spaces between. */
export function scopesOf(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : []
  return list.filter((each): each is string => typeof each === 'string' && scope.test(each))
}

/**
 * Where a provider is that is not at its usual address: a self-hosted GitLab, or anything in development.
 * @throws ApiError provider_unusable
 */
function placeOf({ env }: Config, { provider_key: key }: SocialProviderRow, config: Readonly<Record<string, unknown>>) {
  const { issuer, baseUrl } = config
  const place = env === 'development' && issuer !== undefined ? issuer : key === 'gitlab' ? baseUrl : undefined
  if (place === undefined || place === null) return undefined
  if (typeof place !== 'string' || !isWebUri(place)) throw new ApiError('provider_unusable')
  return place.replace(/(?<!\/)\/+$/, '')
}

function customSettings({ sealer }: Pick<Deps, 'sealer'>, row: CustomProviderRow): ProviderSettings {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    key: row.provider_key,
    baseUrl: row.issuer,
    scopes: fromJson(row.scopes),
    isTrusted: row.trust_emails === 1,
    claims: claimsOf(row),
    clientId: row.client_id,
    clientSecret: openCustomSecret(sealer, row) ?? '',
    teamId: undefined,
    keyId: undefined,
  }
}

/** @throws ApiError provider_unusable if something is missing: an incomplete configuration signs nobody in. */
export function settingsOf(deps: Pick<Deps, 'config' | 'sealer'>, row: FoundProvider): ProviderSettings {
  if (isCustomProvider(row)) return customSettings(deps, row)
  const config = recordOf(jsonOf(row.config))
  const baseUrl = placeOf(deps.config, row, config)
  const shared = {
    id: row.id,
    tenantId: row.tenant_id,
    key: row.provider_key,
    baseUrl,
    scopes: scopesOf(jsonOf(row.additional_scopes)),
    // The owner of a self-hosted server can make it say anything.
    isTrusted: baseUrl === undefined || config['trustEmails'] === true,
  }
  const isCustom = row.use_custom_credentials === null ? row.client_id !== null : row.use_custom_credentials === 1
  if (isCustom) {
    const clientSecret = openClientSecret(deps.sealer, row)
    if (row.client_id === null || clientSecret === null) throw new ApiError('provider_unusable')
    const [teamId, keyId] = [textOf(config['teamId']), textOf(config['keyId'])]
    return { ...shared, clientId: row.client_id, clientSecret, teamId, keyId }
  }
  const client = deps.config.oauth[row.provider_key]
  // The deployment's secret is sent only to the provider that it is for, and never to a server that a tenant names.
  if (client === undefined || baseUrl !== undefined) throw new ApiError('provider_unusable')
  const { clientId, clientSecret, teamId, keyId } = client
  return { ...shared, clientId, clientSecret: clientSecret.reveal(), teamId, keyId }
}
