// The callback of a provider. The state names the tenant, attempt and provider, and the cookie proves that it is the browser that was sent
// away. Then the code is redeemed, and the browser is sent to the page that it came from.
import { tokenPrefixes } from '@bailiwick/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../identity/deps.ts'
import { hasValidChecksum } from '../../platform/crypto/tokens.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import { fromJson } from '../../platform/json-text.ts'
import { frontendBaseUrl } from '../../tenancy/tenants/env.ts'
import { hostedOrigin, isHostedPage } from '../../tenancy/tenants/hosted-pages.ts'
import { isDestinationOf } from '../frontend/destinations.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { FrontendCall } from '../frontend/frontend-call.ts'
import { sessionOfRequest } from '../frontend/session-of-request.ts'
import { byHost } from '../frontend/tenant-of-request.ts'
import { callbackPath } from '../providers/authorization.ts'
import { identify, openProviderClient } from '../providers/provider-client.ts'
import { settingsOf } from '../providers/provider-settings.ts'
import { keepTokens } from '../providers/provider-tokens.ts'
import type { Identity } from '../providers/provider.ts'
import { usableProvider } from '../providers/resolve-identity.ts'
import { type StateRow, challengeOf, issueTicket, selectOpenState, takeState } from '../providers/states.ts'
import { finishSignIn, finishSignUp } from './finish.ts'
import { connectIdentity } from './own-connections.ts'

/** What a provider may send; everything else is dropped. */
const parameterNames = ['state', 'code', 'iss', 'error', 'user'] as const
const parameterLengthMax = 2048

/** @throws ApiError oauth_state_invalid if it occurs twice. */
export function parametersOf(sent: unknown): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const name of parameterNames) {
    const value = (sent as Record<string, unknown> | null | undefined)?.[name]
    if (value === undefined) continue
    if (typeof value !== 'string' || value.length > parameterLengthMax) throw new ApiError('oauth_state_invalid')
    parameters.set(name, value)
  }
  return parameters
}

/** Returns the address where the browser continues, with the attempt and its outcome. */
export function pageOf(row: StateRow, extra: Readonly<Record<string, string>>, ticket?: string): string {
  const page = new URL(row.return_uri)
  // A sign-in with the connection of an organization goes on like any other.
  const purpose = row.purpose === 'enterprise' ? 'sign_in' : row.purpose
  const parameters = { flow: row.flow_id, purpose, ...extra }
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value)
  // Fragments stay in the browser: neither logs nor referrers contain them.
  if (ticket !== undefined) page.hash = `ticket=${ticket}`
  return page.href
}

/** Returns the open state that a browser brings back. */
export async function openState({ db, clock }: Deps, parameters: URLSearchParams): Promise<StateRow | undefined> {
  const state = parameters.get('state') ?? ''
  const isState = state.startsWith(tokenPrefixes.providerState) && hasValidChecksum(state)
  return isState ? selectOpenState(db, state, clock.now()) : undefined
}

async function callOf(deps: Deps, row: StateRow, request: FastifyRequest, reply: FastifyReply): Promise<AnyCall> {
  const tenant = await deps.tenants.byId(row.tenant_id)
  if (tenant === undefined) throw new ApiError('oauth_state_invalid')
  request.frontendTenantId = tenant.row.id
  const isOwnDomain = (await byHost(deps, request.host))?.row.id === row.tenant_id
  // The limit of the address has been counted already.
  const session = await sessionOfRequest(deps, request, { tenant, isOwnDomain }, () => undefined)
  return new FrontendCall(request, reply, { tenant, isOwnDomain, session })
}

async function identityOf(deps: Deps, row: StateRow, parameters: URLSearchParams): Promise<Identity> {
  const provider = await usableProvider(deps.db, row.tenant_id, row.provider_id)
  const client = await openProviderClient(deps, settingsOf(deps, provider))
  const challenge = challengeOf(deps, row, parameters.get('state') ?? '')
  const accessScopes = row.access_scopes === null ? undefined : fromJson(row.access_scopes)
  const keep = accessScopes && keepTokens(deps, client, accessScopes)
  return identify(client, parameters, challenge, keep)
}

async function finish(deps: Deps, call: AnyCall, row: StateRow, identity: Identity): Promise<Record<string, string>> {
  if (row.purpose === 'sign_in') return finishSignIn(deps, call, row, identity)
  if (row.purpose === 'sign_up') return finishSignUp(deps, call, row, identity)
  await connectIdentity(deps, call, row, identity)
  return {}
}

/** Returns the page to continue with; its address contains errors that people can do something about. */
async function goOn(
  deps: Deps,
  row: StateRow,
  parameters: URLSearchParams,
  finishWith: () => Promise<string>,
): Promise<string> {
  try {
    const error = parameters.get('error')
    if (error === 'access_denied' || error === 'user_cancelled_authorize')
      return pageOf(row, { error: 'access_denied' })
    return await finishWith()
  } catch (thrown) {
    const error = apiErrorOf(thrown)
    if (error.code === 'internal_error') throw thrown
    deps.log.warn({ err: error.cause ?? error, tenantId: row.tenant_id }, `a sign-in elsewhere failed: ${error.code}`)
    return pageOf(row, { error: error.code })
  }
}

async function withIdentity(deps: Deps, call: AnyCall, row: StateRow, parameters: URLSearchParams): Promise<string> {
  const identity = await identityOf(deps, row, parameters)
  if (row.transport === 'body') return pageOf(row, {}, await issueTicket(deps, row, identity))
  return pageOf(row, await finish(deps, call, row, identity))
}

/**
 * Returns the origin that has the browser's cookies if the provider has sent the browser to another one, because it only knows the
 * deployment's address: the tenant's own domain, or in development localhost, under which the hosted pages are served.
 */
function originOfCookies({ config }: Deps, call: AnyCall, row: StateRow, host: string): string | undefined {
  if (row.own_host !== null) return call.ownHost === null ? `https://${row.own_host}` : undefined
  const pages = hostedOrigin(config)
  const { host: deployment, origin } = new URL(config.baseUrl)
  if (pages === origin || host !== deployment) return undefined
  return isHostedPage(config, call.tenant, null, row.return_uri) ? pages : undefined
}

interface Returning {
  /** Below the address of the interface. */
  readonly path: string
  readonly parameters: URLSearchParams
  /** The open state that the browser has brought; undefined for one of another provider, too. */
  readonly row: StateRow | undefined
  /** Returns the page to continue with. */
  readonly finishWith: (call: AnyCall, row: StateRow) => Promise<string>
}

/**
 * Answers a browser that returns from elsewhere.
 * @throws ApiError oauth_state_invalid, redirect_refused
 */
export async function answerReturn(
  deps: Deps,
  { path, parameters, row, finishWith }: Returning,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (row === undefined) throw new ApiError('oauth_state_invalid')
  const call = await callOf(deps, row, request, reply)
  const origin = originOfCookies(deps, call, row, request.host)
  if (origin !== undefined) return reply.redirect(`${frontendBaseUrl(origin)}${path}?${parameters.toString()}`, 303)
  if (row.transport === 'cookie' && call.heldHash('flow') !== row.flow_hash) throw new ApiError('oauth_state_invalid')
  // The tenant may have removed the page from its list meanwhile.
  if (!isDestinationOf(deps, call, row.return_uri)) throw new ApiError('redirect_refused')
  if (!(await takeState(deps, row))) throw new ApiError('oauth_state_invalid')
  return reply.redirect(await goOn(deps, row, parameters, () => finishWith(call, row)), 303)
}

/** @throws ApiError oauth_state_invalid, redirect_refused */
export async function answerCallback(deps: Deps, key: string, request: FastifyRequest, reply: FastifyReply) {
  const parameters = parametersOf(request.query)
  const state = await openState(deps, parameters)
  const returning = {
    path: callbackPath(key),
    parameters,
    row: state?.provider_key === key ? state : undefined,
    finishWith: (call: AnyCall, row: StateRow) => withIdentity(deps, call, row, parameters),
  }
  return answerReturn(deps, returning, request, reply)
}
