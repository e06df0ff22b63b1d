import type { SocialProvider } from '@bailiwick/contract'
import { type JsonText, fromJson } from '../../platform/json-text.ts'
import { presentTokenSettings } from '../custom-providers/present.ts'
import type { SocialProviderRow } from './queries.ts'

const flagOrNull = (value: number | null) => (value === null ? null : value === 1)
const jsonOrNull = (text: JsonText<unknown> | null) => (text === null ? null : fromJson(text))

/** Without the client secret, which only the answer of its own operation contains. */
export const presentSocialProvider = (row: SocialProviderRow): SocialProvider => ({
  id: row.id,
  tenantId: row.tenant_id,
  providerKey: row.provider_key,
  enabled: row.enabled === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  useCustomCredentials: flagOrNull(row.use_custom_credentials),
  clientId: row.client_id,
  redirectUri: row.redirect_uri,
  additionalScopes: jsonOrNull(row.additional_scopes),
  authenticatable: flagOrNull(row.authenticatable),
  autoConnectAccounts: flagOrNull(row.auto_connect_accounts),
  config: jsonOrNull(row.config),
  ...presentTokenSettings(row),
})
