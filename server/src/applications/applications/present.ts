import type { Application, ApplicationSecret } from '@bailiwick/contract'
import type { Config } from '../../platform/config.ts'
import { fromJson } from '../../platform/json-text.ts'
import { shownAddress } from '../../tenancy/tenants/shown-address.ts'
import type { ApplicationRow, SecretRow } from './queries.ts'

export const presentSecret = (row: SecretRow): ApplicationSecret => ({
  id: row.id,
  last4: row.last4,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
})

/** For an application that describes itself, the logo is at the address in its document. */
export const logoUriOf = (config: Pick<Config, 'baseUrl'>, row: ApplicationRow) =>
  row.logo_id === null ? row.logo_uri : shownAddress(config, row.tenant_id, 'logoId', row.logo_id)

export const presentApplication = (
  config: Pick<Config, 'baseUrl'>,
  row: ApplicationRow,
  secrets: readonly SecretRow[],
): Application => ({
  id: row.id,
  tenantId: row.tenant_id,
  clientId: row.client_id,
  origin: row.origin,
  name: row.name,
  type: row.type,
  redirectUris: [...fromJson(row.redirect_uris)],
  postLogoutRedirectUris: [...fromJson(row.post_logout_redirect_uris)],
  backchannelLogoutUri: row.backchannel_logout_uri,
  corsOrigins: [...fromJson(row.cors_origins)],
  grantTypes: [...fromJson(row.grant_types)],
  tokenEndpointAuthMethod: row.token_endpoint_auth_method,
  jwks: row.jwks === null ? null : { keys: [...fromJson(row.jwks).keys] },
  jwksUri: row.jwks_uri,
  idTokenSigningAlg: row.id_token_alg,
  accessTokenFormat: row.access_token_format,
  accessTokenTtl: row.access_token_ttl,
  refreshTokenTtl: row.refresh_token_ttl,
  refreshTokenRotation: row.refresh_token_rotation === 1,
  requirePkce: row.require_pkce === 1,
  requireConsent: row.require_consent === 1,
  requirePar: row.require_par === 1,
  requireDpop: row.require_dpop === 1,
  requireSecondFactor: row.require_second_factor === 1,
  machineScopes: fromJson(row.machine_scopes).map(({ resourceId, scopes }) => ({ resourceId, scopes: [...scopes] })),
  exchangeFrom: [...fromJson(row.exchange_from)],
  exchangeTo: [...fromJson(row.exchange_to)],
  logoId: row.logo_id,
  logoUri: logoUriOf(config, row),
  initiateLoginUri: row.initiate_login_uri,
  homeUri: row.home_uri,
  termsUri: row.terms_uri,
  policyUri: row.policy_uri,
  secrets: secrets.filter(({ application_id: id }) => id === row.id).map(presentSecret),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
