// The metadata of a tenant's authorization server (OpenID Connect Discovery 1.0, RFC 8414) and its key set, as bytes in bounded memory.
// Every address comes from the issuer alone, never from the request.
import { apiKeyGrant, deviceCodeGrant, idJagGrant, idTokenAlgorithms, tokenExchangeGrant } from '@bailiwick/contract'
import { LRUCache } from 'lru-cache'
import type { Deps } from '../../../identity/deps.ts'
import { keySetOf } from '../../../identity/session-tokens/key-set.ts'
import { numberOf } from '../../../platform/cache/memory.ts'
import { type MaybePromise, isReady } from '../../../platform/maybe-promise.ts'
import type { TenantEntry } from '../../../tenancy/tenants/tenant-entry.ts'
import { clientAlgorithms } from '../../applications/application-rules.ts'
import type { Issuer } from '../../settings/issuer.ts'
import type { OAuthSettings } from '../../settings/oauth-settings.ts'
import type { PlacedTenant } from '../../settings/placed-tenant.ts'
import { paths } from '../paths.ts'
import { PublicDocument, sizeInMemory } from './public-document.ts'
import { claimsByScope } from './requested-claims.ts'

export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  deviceCodeGrant,
  tokenExchangeGrant,
  apiKeyGrant,
  idJagGrant,
] as const
/** One factor, or two. */
export const acrValues = ['urn:bailiwick:1fa', 'urn:bailiwick:2fa'] as const

/** Everything that differs between the documents of two tenants. */
interface Described {
  readonly id: string
  readonly registers: boolean
  readonly readsDocuments: boolean
  readonly languages: OAuthSettings['languages']
}

/** RFC 8414 section 2 takes client_secret_basic for the only method of an endpoint whose methods are not listed. */
const authenticationAt = (endpoint: string) => ({
  [`${endpoint}_auth_methods_supported`]: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  [`${endpoint}_auth_signing_alg_values_supported`]: clientAlgorithms,
})

function describe({ id, registers, readsDocuments, languages }: Described) {
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
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: idTokenAlgorithms,
    scopes_supported: [...Object.keys(claimsByScope), 'offline_access'],
    claims_supported: [...new Set(Object.values(claimsByScope).flat()), 'iss', 'aud', 'exp', 'iat', 'sid', 'nonce'],
    claims_parameter_supported: true,
    prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
    acr_values_supported: acrValues,
    ui_locales_supported: languages,
    request_parameter_supported: true,
    request_uri_parameter_supported: false,
    request_object_signing_alg_values_supported: clientAlgorithms,
    ...authenticationAt('token_endpoint'),
    ...authenticationAt('revocation_endpoint'),
    ...authenticationAt('introspection_endpoint'),
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: ['ES256', 'EdDSA'],
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    ...(registers ? { registration_endpoint: at(paths.registration) } : {}),
    ...(readsDocuments ? { client_id_metadata_document_supported: true } : {}),
  }
}

/** Room for about 250 documents of 4 KB each, which are made from memory. */
const describedBytesMax = 1024 * 1024
/** Keyed by the number of the tenant's entry and the issuer: a change of the tenant's settings invalidates the tenant. */
const described = new LRUCache<string, PublicDocument>({ maxSize: describedBytesMax, sizeCalculation: sizeInMemory })

export function discoveryOf({ tenant, issuer: { id }, settings: { row, languages } }: PlacedTenant): PublicDocument {
  const key = `${numberOf(tenant)} ${id}`
  const known = described.get(key)
  if (known !== undefined) return known
  const registers = row?.registration_enabled === 1
  const readsDocuments = row?.metadata_documents_enabled === 1
  const document = new PublicDocument('application/json', describe({ id, registers, readsDocuments, languages }))
  described.set(key, document)
  return document
}

/** Returns where gateways ask about permissions (OpenID AuthZEN Authorization API 1.0, section 9). */
export function describeDecisionPoint({ config }: Deps, { id }: Issuer, { row }: TenantEntry): PublicDocument {
  const endpoint = `${config.baseUrl}/auth/evaluations?tenantId=${row.id}`
  return new PublicDocument('application/json', {
    policy_decision_point: id,
    access_evaluation_endpoint: endpoint,
    access_evaluations_endpoint: endpoint,
  })
}

interface KeySet {
  /** The number of the entry for which it was read. A change of a tenant's keys invalidates the tenant, and its next entry has another. */
  readonly number: number
  document: MaybePromise<PublicDocument>
}

/** Room for about two thousand sets with one key. Whoever verifies tokens keeps a set for minutes. */
const keySetBytesMax = 1024 * 1024
/** The size assumed for a set that is still being read: that of one with few keys. */
const unreadBytes = 1024
const keySets = new LRUCache<string, KeySet>({
  maxSize: keySetBytesMax,
  sizeCalculation: ({ document }, key) => (isReady(document) ? sizeInMemory(document, key) : unreadBytes),
})

export function keySetDocumentOf({ db }: Deps, tenant: TenantEntry): MaybePromise<PublicDocument> {
  const { id } = tenant.row
  const number = numberOf(tenant)
  const known = keySets.get(id)
  if (known?.number === number) return known.document
  const reading = keySetOf(db, id, idTokenAlgorithms).then(
    (set) => {
      const document = new PublicDocument('application/jwk-set+json', set)
      if (keySets.peek(id)?.document === reading) keySets.set(id, { number, document })
      return document
    },
    (error: unknown) => {
      if (keySets.peek(id)?.document === reading) keySets.delete(id)
      throw error
    },
  )
  keySets.set(id, { number, document: reading })
  return reading
}
