// What is written of an application: a new one with the defaults of its type, and an existing one with its changes.
import { type CreateApplication, type UpdateApplication, applicationTypeRules } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import type { ApplicationRow as Row } from './queries.ts'

const flag = (value: boolean | undefined, before: number) => (value === undefined ? before : value ? 1 : 0)
const or = <Value>(value: Value | undefined, before: Value) => (value === undefined ? before : value)
const list = (values: readonly string[] | undefined, before: Row['redirect_uris']) =>
  values === undefined ? before : toJson([...new Set(values)])

/** Returns the row with the sent values; a value that was left out stays, and null unsets it. */
export function changedRow(row: Row, input: UpdateApplication): Row {
  return {
    ...row,
    name: or(input.name, row.name),
    redirect_uris: list(input.redirectUris, row.redirect_uris),
    post_logout_redirect_uris: list(input.postLogoutRedirectUris, row.post_logout_redirect_uris),
    backchannel_logout_uri: or(input.backchannelLogoutUri, row.backchannel_logout_uri),
    cors_origins: list(input.corsOrigins, row.cors_origins),
    grant_types: list(input.grantTypes, row.grant_types),
    token_endpoint_auth_method: or(input.tokenEndpointAuthMethod, row.token_endpoint_auth_method),
    jwks: input.jwks === undefined ? row.jwks : input.jwks && toJson({ keys: input.jwks.keys as object[] }),
    jwks_uri: or(input.jwksUri, row.jwks_uri),
    id_token_alg: or(input.idTokenSigningAlg, row.id_token_alg),
    access_token_format: or(input.accessTokenFormat, row.access_token_format),
    access_token_ttl: or(input.accessTokenTtl, row.access_token_ttl),
    refresh_token_ttl: or(input.refreshTokenTtl, row.refresh_token_ttl),
    refresh_token_rotation: flag(input.refreshTokenRotation, row.refresh_token_rotation),
    require_pkce: flag(input.requirePkce, row.require_pkce),
    require_consent: flag(input.requireConsent, row.require_consent),
    require_par: flag(input.requirePar, row.require_par),
    require_dpop: flag(input.requireDpop, row.require_dpop),
    require_second_factor: flag(input.requireSecondFactor, row.require_second_factor),
    machine_scopes: input.machineScopes === undefined ? row.machine_scopes : toJson(input.machineScopes),
    exchange_from: list(input.exchangeFrom, row.exchange_from),
    exchange_to: list(input.exchangeTo, row.exchange_to),
    logo_id: or(input.logoId, row.logo_id),
    initiate_login_uri: or(input.initiateLoginUri, row.initiate_login_uri),
    home_uri: or(input.homeUri, row.home_uri),
    terms_uri: or(input.termsUri, row.terms_uri),
    policy_uri: or(input.policyUri, row.policy_uri),
  }
}

/** Returns the row of a new application, with what its type has unless the input says otherwise. */
export function newRow({ clock }: Deps, tenantId: TenantId, input: Omit<CreateApplication, 'tenantId'>): Row {
  const at = clock.next()
  const id = newId<'ApplicationId'>()
  const none = toJson<readonly string[]>([])
  const empty: Row = {
    tenant_id: tenantId,
    id,
    client_id: id,
    origin: 'manual',
    name: input.name,
    type: input.type,
    redirect_uris: none,
    post_logout_redirect_uris: none,
    backchannel_logout_uri: null,
    cors_origins: none,
    grant_types: toJson<readonly string[]>(applicationTypeRules[input.type].grantDefaults),
    token_endpoint_auth_method: applicationTypeRules[input.type].methods[0],
    jwks: null,
    jwks_uri: null,
    id_token_alg: 'ES256',
    access_token_format: 'jwt',
    access_token_ttl: null,
    refresh_token_ttl: null,
    refresh_token_rotation: 1,
    require_pkce: 1,
    require_consent: 1,
    require_par: 0,
    require_dpop: 0,
    require_second_factor: 0,
    machine_scopes: toJson([]),
    exchange_from: none,
    exchange_to: none,
    logo_id: null,
    logo_uri: null,
    registration_token_hash: null,
    initiate_login_uri: null,
    home_uri: null,
    terms_uri: null,
    policy_uri: null,
    created_at: at,
    updated_at: at,
  }
  return changedRow(empty, input)
}
