import type { Connection, OidcSettings, UserConnection } from '@bailiwick/contract'
import type { Config } from '../../platform/config.ts'
import { fromJson } from '../../platform/json-text.ts'
import { frontendBaseUrl } from '../../tenancy/tenants/env.ts'
import type { ConnectionIdentityRow, ConnectionRow } from './queries.ts'
import { presentSaml } from './saml-settings.ts'

type Addressed = Pick<Config, 'baseUrl'>

/** Each connection has its own, so that the answer of one provider can never be taken for another's (RFC 9700 section 4.4.2). */
export const callbackUri = ({ baseUrl }: Addressed, id: string) =>
  `${frontendBaseUrl(baseUrl)}/connections/${id}/callback`

/** Where the provider says that somebody must sign in again. */
export const revocationUri = ({ baseUrl }: Addressed, { tenant_id, id }: Pick<ConnectionRow, 'tenant_id' | 'id'>) =>
  new URL(`/t/${tenant_id}/connections/${id}/global-token-revocation`, baseUrl).href

export const oidcSettings = ({ settings }: Pick<ConnectionRow, 'settings'>) => fromJson(settings) as OidcSettings

/** Without the secret, which leaves the service by no answer. */
export const presentConnection = (config: Addressed, row: ConnectionRow): Connection => ({
  id: row.id,
  tenantId: row.tenant_id,
  organizationId: row.organization_id,
  type: row.type,
  name: row.name,
  state: row.state,
  oidc:
    row.type === 'oidc'
      ? { ...oidcSettings(row), hasClientSecret: row.secret !== null, callbackUri: callbackUri(config, row.id) }
      : null,
  saml: row.type === 'saml' ? presentSaml(config, row) : null,
  roleRules: [...fromJson(row.role_rules)],
  attributeMappings: [...fromJson(row.attribute_mappings)],
  jit: row.jit,
  required: row.required === 1,
  fallbackUserIds: [...fromJson(row.fallback_user_ids)],
  secondFactor: row.second_factor,
  idJag: row.id_jag_issuer === null ? 'off' : 'on',
  idJagScopes: [...fromJson(row.id_jag_scopes)],
  idJagTtl: row.id_jag_ttl,
  revocationUri: revocationUri(config, row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const presentUserConnection = (identity: ConnectionIdentityRow, row: ConnectionRow): UserConnection => ({
  connectionId: row.id,
  organizationId: row.organization_id,
  type: row.type,
  name: row.name,
  subject: identity.subject,
  createdAt: identity.created_at,
  lastUsedAt: identity.last_used_at,
})
