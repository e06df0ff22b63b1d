// The metadata of a tenant's authorization server (OpenID Connect Discovery 1.0, RFC 8414) and its key set, as bytes that are made once.
// Every address comes from the issuer alone, never from the request.
import { deviceCodeGrant, tokenExchangeGrant } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { keySetOf } from '../../identity/session-tokens/key-set.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-directory.ts'
import type { OAuthSettings } from '../settings/oauth-settings.ts'
import { claimsByScope } from './claims-by-scope.ts'
import type { Issuer } from './issuer.ts'
import { paths } from './paths.ts'

export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  deviceCodeGrant,
  tokenExchangeGrant,
] as const
const clientAlgorithms = ['ES256', 'PS256', 'RS256', 'EdDSA']
/** In seconds. */
export const keySetMaxAge = 300

function describe({ id }: Issuer, { row }: OAuthSettings) {
  const at = (path: string) => id + path
  return {
    issuer: id,
    authorization_endpoint: at(paths.authorization),
    token_endpoint: at(paths.token),
    userinfo_endpoint: at(paths.userinfo),
    jwks_uri: at(paths.jwks),
    revocation_endpoint: at(paths.revocation),
    introspection_endpoint: at(paths.introspection),
    end_session_endpoint: at(paths.end_session),
    device_authorization_endpoint: at(paths.device_authorization),
    pushed_authorization_request_endpoint: at(paths.pushed_authorization_request),
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: grantTypes,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    scopes_supported: [...Object.keys(claimsByScope), 'offline_access'],
    claims_supported: [...new Set(Object.values(claimsByScope).flat()), 'iss', 'aud', 'exp', 'iat', 'sid', 'nonce'],
    claims_parameter_supported: false,
    request_parameter_supported: true,
    request_uri_parameter_supported: false,
    request_object_signing_alg_values_supported: clientAlgorithms,
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: clientAlgorithms,
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: ['ES256', 'EdDSA'],
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    ...(row?.registration_enabled === 1 ? { registration_endpoint: at(paths.registration) } : {}),
    ...(row?.metadata_documents_enabled === 1 ? { client_id_metadata_document_supported: true } : {}),
  }
}

const described = new WeakMap<OAuthSettings, Map<string, Buffer>>()

export function discoveryOf(issuer: Issuer, settings: OAuthSettings): Buffer {
  const ofSettings = described.get(settings) ?? new Map<string, Buffer>()
  described.set(settings, ofSettings)
  let bytes = ofSettings.get(issuer.id)
  if (bytes === undefined) {
    bytes = Buffer.from(JSON.stringify(describe(issuer, settings)))
    ofSettings.set(issuer.id, bytes)
  }
  return bytes
}

/** A rotation of keys need not invalidate the tenant: a new key does not sign before this has expired everywhere. */
const keySetKeptMs = 60_000
const keySets = new WeakMap<TenantEntry, { readonly bytes: Promise<Buffer>; readonly untilMs: number }>()

export function keySetBytesOf({ db, clock }: Deps, tenant: TenantEntry): Promise<Buffer> {
  const known = keySets.get(tenant)
  if (known !== undefined && known.untilMs > clock.nowMs()) return known.bytes
  const bytes = keySetOf(db, tenant.row.id).then((set) => Buffer.from(JSON.stringify(set)))
  keySets.set(tenant, { bytes, untilMs: clock.nowMs() + keySetKeptMs })
  bytes.catch(() => keySets.delete(tenant))
  return bytes
}
