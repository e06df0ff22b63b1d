// Clients that register themselves (RFC 7591), only with the initial access token of the tenant, and manage their registration (RFC 7592), each
// with a token of its own. No address in their metadata is fetched here, and later fetches go through the guarded outbound client. Users are
// always asked before such a client learns anything of them.
import type { IncomingHttpHeaders } from 'node:http'
import { type ApplicationWithSecret, CreateApplication, oauthPaths, tokenPrefixes } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { hashToken, isEqual, newToken } from '../../platform/crypto/tokens.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { issuesOf } from '../../platform/http/body/validate.ts'
import { bearerToken } from '../../platform/http/credentials/bearer-token.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { openGrants } from '../applications/application-rules.ts'
import { createApplication } from '../applications/applications.ts'
import { deleteRegistered, findRegistered, replaceRegistered } from '../applications/self-registered.ts'
import type { PlacedTenant } from '../settings/placed-tenant.ts'
import {
  type Answer,
  type Metadata,
  answerTo,
  inputOf,
  parsed,
  refused,
  shown,
  unofferedProblem,
} from './client-metadata.ts'

/** Returns whether the caller holds the initial access token, which works until it expires or is replaced. */
function isAllowed({ clock }: Deps, { settings: { row } }: PlacedTenant, { authorization }: IncomingHttpHeaders) {
  const token = authorization === undefined ? undefined : bearerToken(authorization)
  if (row === undefined || row.registration_token_hash === null || row.registration_token_expires_at === null)
    return false
  if (token === undefined || row.registration_token_expires_at <= clock.now()) return false
  return isEqual(hashToken(token), row.registration_token_hash)
}

/** Returns what a client is told of itself, with the token and the address by which it manages its registration. */
const registered = (
  { issuer }: PlacedTenant,
  { clientSecret, ...application }: ApplicationWithSecret,
  token: string,
) => ({
  ...shown(application),
  ...(clientSecret === null ? {} : { client_secret: clientSecret, client_secret_expires_at: 0 }),
  registration_access_token: token,
  registration_client_uri: `${issuer.id}${oauthPaths.registration}/${encodeURIComponent(application.clientId)}`,
})

/** Reads what a client says of itself as the properties of an application, or returns why it is refused. */
function readMetadata(
  tenantId: TenantId,
  body: string,
): { readonly input: Omit<CreateApplication, 'tenantId'> } | { readonly refusal: Answer } {
  const metadata = parsed(body)
  if (metadata === undefined) return { refusal: refused('invalid_client_metadata', 'the body must be a JSON object') }
  const unoffered = unofferedProblem(metadata)
  if (unoffered !== undefined) return { refusal: refused('invalid_client_metadata', unoffered) }
  const input = inputOf(metadata)
  const issues = issuesOf(CreateApplication, { tenantId, ...input })
  if (issues.length > 0) return { refusal: answerTo(issues) }
  const { grantTypes } = input as { readonly grantTypes?: readonly string[] }
  if (grantTypes?.some((each) => !openGrants.includes(each)) === true) {
    return { refusal: refused('invalid_client_metadata', `grant_types may name ${openGrants.join(', ')}`) }
  }
  // The contract checks it next.
  return { input: input as unknown as Omit<CreateApplication, 'tenantId'> }
}

/** Answers what an operation refuses in the words of RFC 7591. */
async function orRefused<T>(run: () => Promise<T>): Promise<T | Answer> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode >= 500) throw error
    return error.issues.length > 0 ? answerTo(error.issues) : refused('invalid_client_metadata', error.message)
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
  const tenantId = placed.tenant.row.id
  const read = readMetadata(tenantId, body)
  if ('refusal' in read) return read.refusal
  const token = newToken(tokenPrefixes.registrationAccess)
  return orRefused(async () => {
    const made = await createApplication(deps, tenantId, read.input, undefined, actor, hashToken(token))
    return { status: 201, body: registered(placed, made, token) }
  })
}

/** Finds what is asked of a registered client, for the holder of its token (RFC 7592 section 2). */
export interface ManagedClient {
  readonly placed: PlacedTenant
  readonly clientId: string
  readonly headers: IncomingHttpHeaders
}

/** Runs an operation for the holder of the client's token. A client that does not exist is answered like a wrong token. */
async function withToken(
  { placed, headers }: ManagedClient,
  run: (token: string) => Promise<Answer | undefined>,
): Promise<Answer> {
  if (placed.settings.row?.registration_enabled !== 1) throw new ApiError('not_found')
  const token = headers.authorization === undefined ? undefined : bearerToken(headers.authorization)
  const answer = token === undefined ? undefined : await run(token)
  return answer ?? refused('invalid_token', 'the registration access token of this client is required', 401)
}

/** Reads a client. @throws ApiError not_found if the tenant has not switched registration on */
export const readClient = (deps: Deps, client: ManagedClient): Promise<Answer> =>
  withToken(client, async (token) => {
    const { placed, clientId } = client
    const found = await findRegistered(deps, placed.tenant.row.id, clientId, hashToken(token))
    return found && { status: 200, body: registered(placed, { ...found, clientSecret: null }, token) }
  })

/** The members of an answer that a client must not send back (RFC 7592 section 2.2). */
const answeredMembers = [
  'registration_access_token',
  'registration_client_uri',
  'client_secret_expires_at',
  'client_id_issued_at',
]

function updateProblem(clientId: string, metadata: Metadata): string | undefined {
  if (metadata['client_id'] !== clientId) return 'client_id must be the id of this client'
  const sent = answeredMembers.find((name) => metadata[name] !== undefined)
  return sent === undefined ? undefined : `${sent} must not be sent`
}

/**
 * Replaces all that a client says of itself; what is left out is as in a new registration. The token is replaced with it, so that one that was
 * seen by others ends.
 * @throws ApiError not_found if the tenant has not switched registration on
 */
export const replaceClient = (deps: Deps, client: ManagedClient, body: string, actor: Actor): Promise<Answer> =>
  withToken(client, async (token) => {
    const { placed, clientId } = client
    const tenantId = placed.tenant.row.id
    const tokenHash = hashToken(token)
    if ((await findRegistered(deps, tenantId, clientId, tokenHash)) === undefined) return undefined
    const metadata = parsed(body)
    const problem = metadata && updateProblem(clientId, metadata)
    if (problem !== undefined) return refused('invalid_client_metadata', problem)
    const read = readMetadata(tenantId, body)
    if ('refusal' in read) return read.refusal
    const next = newToken(tokenPrefixes.registrationAccess)
    return orRefused(async () => {
      const { client_secret: secret } = metadata ?? {}
      const held = {
        tokenHash,
        nextTokenHash: hashToken(next),
        secretHash: typeof secret === 'string' ? hashToken(secret) : undefined,
      }
      const changed = await replaceRegistered(deps, placed.tenant, clientId, held, read.input, actor)
      return changed && { status: 200, body: registered(placed, changed, next) }
    })
  })

/** Deletes a client with its grants and tokens. @throws ApiError not_found if the tenant has not switched registration on */
export const deleteClient = (deps: Deps, client: ManagedClient, actor: Actor): Promise<Answer> =>
  withToken(client, async (token) => {
    const { placed, clientId } = client
    const isDeleted = await deleteRegistered(deps, placed.tenant.row.id, clientId, hashToken(token), actor)
    return isDeleted ? { status: 204 } : undefined
  })
