// Clients that register themselves (RFC 7591), only with the initial access token of the tenant. No address in their metadata is fetched
// here, and later fetches go through the guarded outbound client. Users are always asked before such a client learns anything of them.
import type { IncomingHttpHeaders } from 'node:http'
import { type Application, CreateApplication, type Issue } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { hashToken, isEqual } from '../../platform/crypto/tokens.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { bearerToken } from '../../platform/http/credentials/bearer-token.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { issuesOf } from '../../platform/http/body/validate.ts'
import { clientAlgorithms, openGrants } from '../applications/application-rules.ts'
import { createApplication } from '../applications/applications.ts'
import type { PlacedTenant } from '../settings/placed-tenant.ts'

interface Answer {
  readonly status: number
  readonly body: object
}

type Metadata = Readonly<Record<string, unknown>>

/** The member of the client's metadata from which each property comes. */
const names = {
  redirectUris: 'redirect_uris',
  postLogoutRedirectUris: 'post_logout_redirect_uris',
  backchannelLogoutUri: 'backchannel_logout_uri',
  grantTypes: 'grant_types',
  tokenEndpointAuthMethod: 'token_endpoint_auth_method',
  jwks: 'jwks',
  jwksUri: 'jwks_uri',
  idTokenSigningAlg: 'id_token_signed_response_alg',
  termsUri: 'tos_uri',
  policyUri: 'policy_uri',
  requirePar: 'require_pushed_authorization_requests',
  requireDpop: 'dpop_bound_access_tokens',
} as const

const refused = (error: string, description: string, status = 400): Answer => ({
  status,
  body: { error, error_description: description },
})

const loopbackPattern = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/

/** A program on somebody's own computer (RFC 8252 section 7.3) that does not say that it is one. */
function isOnLoopback({ application_type: type, redirect_uris: uris, token_endpoint_auth_method: method }: Metadata) {
  if (type !== undefined || !Array.isArray(uris) || uris.length === 0) return false
  if (method !== undefined && method !== 'none') return false
  return uris.every((uri) => typeof uri === 'string' && loopbackPattern.test(uri))
}

function typeOf(metadata: Metadata): 'web' | 'spa' | 'native' {
  if (metadata['application_type'] === 'native' || isOnLoopback(metadata)) return 'native'
  return metadata['token_endpoint_auth_method'] === 'none' ? 'spa' : 'web'
}

/** RFC 7591 section 2: what is not understood is ignored. */
function inputOf(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = Object.entries(names).filter(([, name]) => metadata[name] !== undefined)
  return {
    name: metadata['client_name'] ?? 'Unnamed client',
    type: typeOf(metadata),
    ...Object.fromEntries(known.map(([own, name]) => [own, metadata[name]])),
  }
}

/** The members whose values name something that is offered in these forms alone. */
const offered: Readonly<Record<string, readonly unknown[]>> = {
  subject_type: ['public'],
  token_endpoint_auth_signing_alg: clientAlgorithms,
  request_object_signing_alg: clientAlgorithms,
  require_signed_request_object: [false],
  tls_client_certificate_bound_access_tokens: [false],
}
const unofferedPattern =
  /^(?:id_token|userinfo|introspection|authorization)_encrypted_response_(?:alg|enc)$|^(?:userinfo|introspection|authorization)_signed_response_alg$|^request_object_encryption_(?:alg|enc)$/

/** Returns what is wrong with the first member that asks for something that is not offered here: it is refused, never dropped. */
function unofferedProblem(metadata: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(metadata)) {
    if (unofferedPattern.test(name)) return `${name} is not offered`
    const values = offered[name]
    if (values !== undefined && !values.includes(value)) return `${name} must be ${values.join(' or ')}`
  }
  const { response_types: types = ['code'] } = metadata
  const isOffered = Array.isArray(types) && types.every((type) => type === 'code')
  return isOffered ? undefined : 'response_types may name code alone'
}

/** Describes the first problem, which is often the cause of the others, with the client's own name for the member. */
function answerTo([issue]: readonly Issue[]): Answer {
  const [, own = ''] = (issue?.path ?? '').split('/')
  const text = `${names[own as keyof typeof names] ?? own} ${issue?.message ?? ''}`
  return refused(own === 'redirectUris' ? 'invalid_redirect_uri' : 'invalid_client_metadata', text)
}

const shown = (application: Application) => ({
  client_id: application.clientId,
  client_id_issued_at: Math.floor(Date.parse(application.createdAt) / 1000),
  client_name: application.name,
  application_type: application.type === 'native' ? 'native' : 'web',
  response_types: application.grantTypes.includes('authorization_code') ? ['code'] : [],
  ...Object.fromEntries(
    Object.entries(names)
      .map(([own, name]) => [name, application[own as keyof Application]] as const)
      .filter(([, value]) => value !== null),
  ),
})

/** Returns whether the caller holds the initial access token, which works until it expires or is replaced. */
function isAllowed({ clock }: Deps, { settings: { row } }: PlacedTenant, { authorization }: IncomingHttpHeaders) {
  const token = authorization === undefined ? undefined : bearerToken(authorization)
  if (row === undefined || row.registration_token_hash === null || row.registration_token_expires_at === null)
    return false
  if (token === undefined || row.registration_token_expires_at <= clock.now()) return false
  return isEqual(hashToken(token), row.registration_token_hash)
}

function parsed(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** @throws ApiError not_found if the tenant has not switched registration on */
export async function registerClient(
  deps: Deps,
  placed: PlacedTenant,
  headers: IncomingHttpHeaders,
  body: string,
  actor: Actor,
): Promise<Answer> {
  if (placed.settings.row?.registration_enabled !== 1) throw new ApiError('not_found')
  if (!isAllowed(deps, placed, headers)) return refused('invalid_token', 'an initial access token is required', 401)
  const metadata = parsed(body)
  if (metadata === undefined) return refused('invalid_client_metadata', 'the body must be a JSON object')
  const unoffered = unofferedProblem(metadata)
  if (unoffered !== undefined) return refused('invalid_client_metadata', unoffered)
  const input = inputOf(metadata)
  const tenantId = placed.tenant.row.id
  const issues = issuesOf(CreateApplication, { tenantId, ...input })
  if (issues.length > 0) return answerTo(issues)
  const { grantTypes } = input as { readonly grantTypes?: readonly string[] }
  if (grantTypes?.some((each) => !openGrants.includes(each)) === true) {
    return refused('invalid_client_metadata', `grant_types may name ${openGrants.join(', ')}`)
  }
  try {
    const given = input as unknown as Parameters<typeof createApplication>[2]
    const { clientSecret, ...application } = await createApplication(deps, tenantId, given, undefined, actor)
    const secret = clientSecret === null ? {} : { client_secret: clientSecret, client_secret_expires_at: 0 }
    return { status: 201, body: { ...shown(application), ...secret } }
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode >= 500) throw error
    return error.issues.length > 0 ? answerTo(error.issues) : refused('invalid_client_metadata', error.message)
  }
}
