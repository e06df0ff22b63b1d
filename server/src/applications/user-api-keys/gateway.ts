// Answers a gateway that asks about each request before it passes it on. Gateways look at the status alone, so that only a valid key gets 200.
import type { UserApiKeyCheck } from '@bailiwick/contract'
import type { FastifyReply } from 'fastify'
import { ApiError } from '../../platform/http/api-error.ts'
import { type MaybePromise, whenReady } from '../../platform/maybe-promise.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { type KeyChecks, checkKey } from './check-key.ts'

/** A gateway may have moved the whole Authorization header of its caller here. */
const sentKey = /^(?:Bearer +)?(\S{1,256})$/i
/** Ids and scopes consist of these, and scopes are separated by spaces; Node throws for other characters only while it writes the answer. */
const headerText = /^[!-~]+(?: [!-~]+)*$/
/** nginx takes 4 KiB of headers of an answer unless it is told otherwise. */
const scopesLengthMax = 2048

interface Asked {
  /** The header. */
  readonly key: string | readonly string[] | undefined
  /** Separated by spaces. */
  readonly requiredScopes?: string
}

/** RFC 6750 section 3: a request without a key is told no error. */
function refuse(reply: FastifyReply, code: 'api_key_refused' | 'scopes_missing', error?: string): never {
  reply.header('www-authenticate', error === undefined ? 'Bearer' : `Bearer error=${error}`)
  throw new ApiError(code)
}

/** Tells the app behind the gateway whose key it was. Names are not among it: users write them. */
function setHeaders(reply: FastifyReply, { keyId, userId, organizationId, scopes }: UserApiKeyCheck) {
  const scopesText = scopes.join(' ')
  const values = {
    'x-auth-key-id': keyId,
    'x-auth-user-id': userId,
    'x-auth-organization-id': organizationId,
    'x-auth-scopes': scopesText.length > scopesLengthMax ? null : scopesText,
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === '') continue
    if (!headerText.test(value)) throw new Error(`${name} cannot be sent as a header`)
    reply.header(name, value)
  }
}

/** @throws ApiError api_key_refused for anything but a valid key, scopes_missing */
export function authorizeKey(
  checks: KeyChecks,
  tenant: TenantEntry,
  { key: header, requiredScopes }: Asked,
  reply: FastifyReply,
): MaybePromise<UserApiKeyCheck> {
  if (header === undefined || header === '') return refuse(reply, 'api_key_refused')
  const [, key] = (typeof header === 'string' && sentKey.exec(header)) || []
  if (key === undefined) return refuse(reply, 'api_key_refused', '"invalid_token"')
  const asked = { key, ...(requiredScopes === undefined ? {} : { requiredScopes: requiredScopes.split(' ') }) }
  return whenReady(checkKey(checks, tenant, asked), (check) => {
    if (check.reason === 'missing_scopes')
      return refuse(reply, 'scopes_missing', `"insufficient_scope", scope="${requiredScopes ?? ''}"`)
    if (!check.valid) return refuse(reply, 'api_key_refused', '"invalid_token"')
    setHeaders(reply, check)
    return check
  })
}
