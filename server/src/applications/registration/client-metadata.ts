// What clients say of themselves (RFC 7591 section 2), as the properties of an application and back.
import type { Application, Issue } from '@bailiwick/contract'
import { clientAlgorithms } from '../applications/application-rules.ts'

/** What a client is answered: JSON, or nothing at all. */
export interface Answer {
  readonly status: number
  readonly body?: object
}

/** What a client says of itself. */
export type Metadata = Readonly<Record<string, unknown>>

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
  initiateLoginUri: 'initiate_login_uri',
  homeUri: 'client_uri',
  termsUri: 'tos_uri',
  policyUri: 'policy_uri',
  requirePar: 'require_pushed_authorization_requests',
  requireDpop: 'dpop_bound_access_tokens',
} as const

/** Returns the answer to what is refused (RFC 7591 section 3.2.2). */
export const refused = (error: string, description: string, status = 400): Answer => ({
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

/** Returns the type of application that a client is by what it says of itself. */
export function typeOf(metadata: Metadata): 'web' | 'spa' | 'native' {
  if (metadata['application_type'] === 'native' || isOnLoopback(metadata)) return 'native'
  return metadata['token_endpoint_auth_method'] === 'none' ? 'spa' : 'web'
}

/** RFC 7591 section 2: what is not understood is ignored. */
export function inputOf(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
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
export function unofferedProblem(metadata: Readonly<Record<string, unknown>>): string | undefined {
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
export function answerTo([issue]: readonly Issue[]): Answer {
  const [, own = ''] = (issue?.path ?? '').split('/')
  const text = `${names[own as keyof typeof names] ?? own} ${issue?.message ?? ''}`
  return refused(own === 'redirectUris' ? 'invalid_redirect_uri' : 'invalid_client_metadata', text)
}

/** Returns a client as it is told of itself. */
export const shown = (application: Application) => ({
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

/** Returns the JSON object in a body; undefined for anything else. */
export function parsed(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
