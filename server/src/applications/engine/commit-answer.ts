// The outermost step of a request within the engine: the request's writes are committed here, in one transaction with its events, before
// its answer is sent.
import type { KoaContextWithOIDC } from 'oidc-provider'
import { accountCookieIds, accountCookies, cookieName, readCookie } from '../../flows/frontend/cookies.ts'
import { endSession } from '../../identity/sessions/sessions.ts'
import { hashToken, isEqual } from '../../platform/crypto/tokens.ts'
import { foreignKeyConstraint } from '../../platform/db/constraints.ts'
import { ConstraintError } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { type NewEvent, eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { SessionId } from '../../platform/ids.ts'
import { hostedRootOfId } from '../../tenancy/tenants/hosted-pages.ts'
import { grantKeys } from '../grants/grant-records.ts'
import { applicationOf } from './configuration/clients.ts'
import { isForBrowser, leaveSignedOut, showExpired, showLogout, showStayedSignedIn } from './engine-pages.ts'
import { answerFailure } from './failed-answers.ts'
import { endNamedAccount, isForAccount } from './named-sign-out.ts'
import { paths } from './paths.ts'
import { AlreadyUsed } from './requests/held-writes.ts'
import { GrantChanged, type Payload, SessionEnded, hashOfId } from './requests/request-store.ts'
import { currentTenancy } from './tenancy.ts'
import { addUserinfoClaims } from './tokens/custom-claims.ts'
import { isRecentPoll, slowDown, tooSoon } from './tokens/device-polls.ts'
import { introspectJwt, isJwtIntrospected, refreshClaims } from './tokens/introspection.ts'
import { answerOfLostRace, keepAnswer } from './tokens/rotation.ts'

type Ctx = KoaContextWithOIDC
const resumePath = `${paths.authorization}/`
const signOutPath = `${paths.end_session}/confirm`

/** The user's part of an interaction, as the frontend's operations store it. */
export interface InteractionResult {
  readonly login?: { readonly accountId: string; readonly sessionId: SessionId }
}

/** Takes a cookie out of the request, so that the engine begins a session of its own. */
function dropCookie(ctx: Ctx, name: string) {
  const { cookie } = ctx.req.headers
  if (cookie === undefined) return
  ctx.req.headers.cookie = cookie
    .split(';')
    .filter((pair) => pair.split('=')[0]?.trim() !== name)
    .join(';')
}

/**
 * Only the browser that signed in holds the ticket, and only the browser that came from the application holds the cookie: somebody who
 * makes another person sign in for them does not have both.
 */
async function mayResume(ctx: Ctx): Promise<boolean> {
  const { store, tenant } = currentTenancy()
  const interaction = await store.find('Interaction', decodeURIComponent(ctx.path.slice(resumePath.length)))
  const ticketHash = interaction?.['ticketHash']
  const { ticket } = ctx.query
  if (typeof ticketHash !== 'string' || typeof ticket !== 'string') return false
  if (!isEqual(hashToken(ticket), ticketHash)) return false
  const { login } = (interaction?.['result'] ?? {}) as InteractionResult
  if (login === undefined) return true
  store.continuedSession = login.sessionId
  const name = `__Host-oauth-${tenant.row.id}`
  const cookie = ctx.cookies.get(name, { signed: false })
  const session = cookie === undefined ? undefined : await store.find('Session', cookie)
  const accountId = session?.['accountId']
  if (accountId !== undefined && accountId !== login.accountId) dropCookie(ctx, name)
  return true
}

/** Where the browser keeps several accounts, an application gets the active one, not the one that it got last. */
async function followActiveAccount(ctx: Ctx) {
  const { deps, store, tenant, issuer } = currentTenancy()
  const isOwnDomain = issuer.domain !== null
  const { cookie: header } = ctx.req.headers
  if (!tenant.auth.severalAccountsEnabled) return
  const token = readCookie(header, cookieName('session', tenant, isOwnDomain))
  const active = token === undefined ? undefined : await deps.sessions.find(hashToken(token), undefined, tenant.row.id)
  if (active === undefined && accountCookieIds(header, accountCookies(tenant, isOwnDomain)).size === 0) return
  const name = `__Host-oauth-${tenant.row.id}`
  const cookie = ctx.cookies.get(name, { signed: false })
  const session = cookie === undefined ? undefined : await store.find('Session', cookie)
  if (session !== undefined && store.sessionIdOf(String(session['uid'])) !== active?.row.id) dropCookie(ctx, name)
}

function deny(ctx: Ctx, status: number, error: string, description: string) {
  ctx.remove('location')
  ctx.status = status
  ctx.type = 'json'
  ctx.set('cache-control', 'no-store')
  ctx.body = { error, error_description: description }
}

/** Returns the event of a token that was issued and is stored, or whose code or refresh token was stored. */
function issuedEvent(ctx: Ctx): NewEvent | undefined {
  const { tenant, actor, store } = currentTenancy()
  const { client, params, entities } = ctx.oidc
  const application = applicationOf(client)?.row.id ?? store.applicationOf.get(client?.clientId ?? '')
  const token = (entities.AccessToken ?? entities.ClientCredentials) as
    | { accountId?: string; grantId?: string; scope?: string; aud?: string }
    | undefined
  if (application === undefined || token === undefined) return undefined
  return {
    tenantId: tenant.row.id,
    type: 'application.token_issued',
    actor: { ...actor, type: 'application', id: application },
    subjectId: application,
    data: {
      grantType: String(params?.['grant_type']),
      userId: token.accountId ?? null,
      organizationId: store.familyOf.get(token.grantId ?? '')?.organizationId ?? null,
      scopes: token.scope === undefined || token.scope === '' ? [] : token.scope.split(' '),
      resource: token.aud ?? null,
    },
  }
}

function revokedEvent(ctx: Ctx): NewEvent | undefined {
  const { tenant, actor } = currentTenancy()
  const { entities, client } = ctx.oidc
  const application = applicationOf(client)?.row.id
  const token = entities.RefreshToken ?? entities.AccessToken ?? entities.ClientCredentials
  if (application === undefined || token === undefined) return undefined
  const { accountId } = token as { accountId?: string }
  const kind = entities.RefreshToken === undefined ? ('access_token' as const) : ('refresh_token' as const)
  return {
    tenantId: tenant.row.id,
    type: 'application.token_revoked',
    actor: { ...actor, type: 'application', id: application },
    subjectId: application,
    data: { userId: accountId ?? null, kind },
  }
}

/** A token was issued: keeps the answer for the same request again, and writes its event. */
function keepIssued(ctx: Ctx) {
  const { store } = currentTenancy()
  if (ctx.status !== 200 || !store.hasWrites) return
  keepAnswer(ctx.body)
  const event = issuedEvent(ctx)
  if (event !== undefined) store.events.push(event)
}

function keepRevoked(ctx: Ctx) {
  const { store } = currentTenancy()
  const event = ctx.status === 200 && store.hasWrites ? revokedEvent(ctx) : undefined
  if (event !== undefined) store.events.push(event)
}

/** The user enters the code of a device at a page of the tenant, not of the engine. */
function nameDevicePage(ctx: Ctx) {
  if (ctx.status !== 200) return
  const { deps, tenant, issuer } = currentTenancy()
  const root = issuer.domain === null ? hostedRootOfId(deps.config, tenant.row.id) : issuer.id
  const answer = ctx.body as Payload
  const address = `${root}/device`
  const complete = `${address}?user_code=${encodeURIComponent(String(answer['user_code']))}`
  ctx.body = { ...answer, verification_uri: address, verification_uri_complete: complete }
}

/** Returns whether the user has refused to sign out. */
const staysSignedIn = (ctx: Ctx) =>
  ctx.path === signOutPath &&
  ctx.status === 303 &&
  ctx.oidc.params?.['logout'] === undefined &&
  ctx.oidc.session?.accountId !== undefined

/** A user who signs out at one application signs out altogether: the user's session ends, and everything that depends on it. */
async function endSignedOut(ctx: Ctx) {
  if (ctx.status !== 303 || ctx.oidc.params?.['logout'] === undefined) return
  const { deps, store, tenant, actor } = currentTenancy()
  const { uid, accountId } = ctx.oidc.session ?? {}
  const sessionId = store.sessionIdOf(uid ?? '')
  if (sessionId === undefined || accountId === undefined) return
  try {
    await endSession(deps, tenant.row.id, sessionId, { ...actor, type: 'user', id: accountId })
  } catch (error) {
    // The session was ended elsewhere a moment ago.
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
  }
  await leadToProvider(ctx, sessionId)
}

/** The application has named another account of the browser: that one ends alone. */
async function endAccount(ctx: Ctx) {
  const sessionId = await endNamedAccount(ctx)
  if (sessionId !== undefined) await leadToProvider(ctx, sessionId)
  await showSignedOut(ctx)
}

/** A browser that has signed in at the SAML provider of an organization signs out there on its way, if the provider offers it. */
async function leadToProvider(ctx: Ctx, sessionId: SessionId) {
  const { location = '' } = ctx.response.headers as { readonly location?: string }
  if (!isForBrowser(ctx) || location === '') return
  const { deps, tenant } = currentTenancy()
  try {
    const { leaveForLogout } = await import('../../enterprise/single-logout/single-logout.ts')
    const address = await leaveForLogout(deps, tenant.row.id, sessionId, location)
    if (address !== undefined) ctx.set('location', address)
  } catch (error) {
    // The user is signed out here, whatever happens there.
    deps.log.warn({ err: error, tenantId: tenant.row.id }, 'a browser could not be led to its provider to sign out')
  }
}

/** Asks a browser in the tenant's page whether to sign out: the engine's own page for users who are not signed in is bare. */
async function askToSignOut(ctx: Ctx) {
  if (isForBrowser(ctx) && ctx.status === 200 && ctx.oidc.session?.accountId === undefined) await showLogout(ctx)
}

/** Shows a browser that it is signed out before it goes elsewhere. */
async function showSignedOut(ctx: Ctx) {
  const { location = '' } = ctx.response.headers as { readonly location?: string }
  const isElsewhere = location !== '' && !location.startsWith(`${currentTenancy().issuer.id}/`)
  if (isForBrowser(ctx) && ctx.status === 303 && isElsewhere) await leaveSignedOut(ctx, location)
}

/** What follows the engine's answer before it is committed, by the path that was asked. */
const followUps: Readonly<Record<string, readonly ((ctx: Ctx) => void | Promise<void>)[]>> = {
  [paths.token]: [keepIssued, slowDown],
  [paths.revocation]: [keepRevoked],
  [paths.device_authorization]: [nameDevicePage],
  [paths.introspection]: [(ctx) => (isJwtIntrospected(ctx) ? introspectJwt(ctx) : refreshClaims(ctx))],
  [paths.userinfo]: [addUserinfoClaims],
  [paths.end_session]: [askToSignOut],
  [signOutPath]: [endSignedOut, showSignedOut],
}

const kinds = {
  AuthorizationCode: 'authorization_code',
  RefreshToken: 'refresh_token',
  DeviceCode: 'device_code',
} as const

/**
 * A code or token was used twice, so somebody else has it: all tokens of its authorization end. On SQLite the body of a transaction may run
 * outside of the request's tenancy, so the tenancy is read before.
 */
async function endFamily({ kind, row }: AlreadyUsed) {
  const { deps, tenant, actor } = currentTenancy()
  const name = kinds[kind as keyof typeof kinds]
  if (row === undefined || row.family_id === null || name === undefined) return
  await deps.db.transaction(async (tx) => {
    const ended = await tx.run(sql`DELETE FROM oauth_tokens WHERE tenant_id = ${tenant.row.id}
      AND (family_id = ${row.family_id} OR id_hash = ${hashOfId(row.family_id ?? '')})`)
    if (ended === 0 || row.application_id === null) return
    await tx.run(
      eventStatement(deps.clock, deps.personal, {
        tenantId: tenant.row.id,
        type: 'application.token_reused',
        actor,
        subjectId: row.application_id,
        data: { userId: row.user_id, kind: name },
      }),
    )
  })
}

async function answerAlreadyUsed(ctx: Ctx, error: AlreadyUsed) {
  const again = error.kind === 'RefreshToken' && error.row !== undefined ? answerOfLostRace(error.row) : undefined
  if (again !== undefined) {
    ctx.status = 200
    ctx.body = again
    return
  }
  if (error.kind === 'proof') return deny(ctx, 400, 'invalid_request', 'the proof or assertion was used before')
  if (isRecentPoll(error)) return deny(ctx, 400, 'slow_down', tooSoon)
  await endFamily(error)
  deny(ctx, 400, 'invalid_grant', 'it was used before')
}

/** The user, application, organization or grant that a new token would refer to was deleted while the request was answered. */
function denyEnded(ctx: Ctx) {
  if (ctx.path === paths.token) return deny(ctx, 400, 'invalid_grant', 'what was allowed has ended meanwhile')
  deny(ctx, 401, 'invalid_client', 'the client was deleted meanwhile')
}

/**
 * If another request has written or withdrawn the user's grant for this application at the same moment, this request starts again with what
 * there is now.
 */
function beginAgain(ctx: Ctx) {
  ctx.remove('set-cookie')
  // A request that was sent as a form is sent as a form again.
  ctx.status = ctx.method === 'GET' ? 303 : 307
  ctx.set('location', currentTenancy().issuer.id + ctx.url)
  ctx.body = ''
}

async function answerAndCommit(ctx: Ctx, next: () => Promise<void>): Promise<void> {
  const { store } = currentTenancy()
  if (ctx.path.startsWith(resumePath) && !(await mayResume(ctx))) {
    if (isForBrowser(ctx)) {
      await showExpired(ctx)
      ctx.status = 403
      return
    }
    return deny(ctx, 403, 'access_denied', 'this browser is not the one that has signed in, or the request has expired')
  }
  if (ctx.path === paths.authorization) await followActiveAccount(ctx)
  await next()
  if (store.replay !== undefined) {
    ctx.status = 200
    ctx.body = store.replay
    return
  }
  // A request that failed half-way has no effect: a code that it would have used up is still valid.
  if (store.hasFailed) return
  if (ctx.path === signOutPath && isForAccount(ctx)) return endAccount(ctx)
  // Without a commit nothing that the engine has ended for the application has ended.
  if (staysSignedIn(ctx)) return showStayedSignedIn(ctx)
  for (const followUp of followUps[ctx.path] ?? []) await followUp(ctx)
  try {
    if (store.reused !== undefined && ctx.path === paths.token) {
      // Nothing of this request is committed, so the tokens that the other poll got are kept.
      if (isRecentPoll(store.reused)) return deny(ctx, 400, 'slow_down', tooSoon)
      await endFamily(store.reused)
    }
    await store.commit()
  } catch (error) {
    if (error instanceof SessionEnded) {
      return deny(ctx, 403, 'access_denied', error.message)
    }
    if (error instanceof AlreadyUsed) return answerAlreadyUsed(ctx, error)
    const refusedBy = error instanceof ConstraintError ? error.constraint : undefined
    if (refusedBy === foreignKeyConstraint && !ctx.path.startsWith(paths.authorization)) return denyEnded(ctx)
    const isChanged = refusedBy === foreignKeyConstraint || grantKeys.includes(refusedBy ?? '')
    if (!isChanged && !(error instanceof GrantChanged)) throw error
    beginAgain(ctx)
  }
}

export async function commitAnswer(ctx: Ctx, next: () => Promise<void>): Promise<void> {
  // Outside of a tenant there is no answer, not even for a failure.
  currentTenancy()
  try {
    await answerAndCommit(ctx, next)
  } catch (error) {
    answerFailure(ctx, error)
  }
  // Clients that read a body by its type find none.
  if (ctx.body === '') ctx.remove('content-type')
}
