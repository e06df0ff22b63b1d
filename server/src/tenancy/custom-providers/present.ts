import type { ClaimMapping, CustomProvider } from '@bailiwick/contract'
import type { Config } from '../../platform/config.ts'
import { fromJson } from '../../platform/json-text.ts'
import { shownAddress } from '../tenants/shown-address.ts'
import type { CustomProviderRow } from './queries.ts'

/** The standard claims of OpenID Connect Core 1.0 section 5.1. */
const standardClaims: ClaimMapping = { email: 'email', emailVerified: 'email_verified', name: 'name' }

export const claimsOf = ({ claims }: Pick<CustomProviderRow, 'claims'>): ClaimMapping => ({
  ...standardClaims,
  ...fromJson(claims),
})

export const logoUriOf = (config: Pick<Config, 'baseUrl'>, row: Pick<CustomProviderRow, 'tenant_id' | 'logo_id'>) =>
  row.logo_id === null ? null : shownAddress(config, row.tenant_id, 'logoId', row.logo_id)

/** The settings that let users give the tenant access, of a provider of either kind. */
export const presentTokenSettings = (row: Pick<CustomProviderRow, 'keep_tokens' | 'token_scopes'>) => ({
  keepTokens: row.keep_tokens === 1,
  tokenScopes: row.token_scopes === null ? [] : [...fromJson(row.token_scopes)],
})

/** Without the client secret, which leaves the service by no answer but the one made for it. */
export const presentCustomProvider = (config: Pick<Config, 'baseUrl'>, row: CustomProviderRow): CustomProvider => ({
  id: row.id,
  tenantId: row.tenant_id,
  key: row.provider_key,
  name: row.name,
  enabled: row.enabled === 1,
  issuer: row.issuer,
  clientId: row.client_id,
  hasClientSecret: row.sealed_client_secret !== null,
  redirectUri: row.redirect_uri,
  scopes: [...fromJson(row.scopes)],
  claims: claimsOf(row),
  trustEmails: row.trust_emails === 1,
  authenticatable: row.authenticatable === 1,
  autoConnectAccounts: row.auto_connect_accounts === 1,
  ...presentTokenSettings(row),
  logoId: row.logo_id,
  logoUri: logoUriOf(config, row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
