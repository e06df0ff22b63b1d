// Token exchange (RFC 8693): an application gets an access token for a user from one that was issued to another application, in the user's
// place (impersonation) or as one who acts for the user (delegation, with `act`). The new token never allows more, nor lives longer, than the
// one that it was made from. The tenant decides whose tokens an application may exchange (`exchangeFrom`: it is their audience, or acts for
// it) and for what (`exchangeTo`), because scopes of different resources can have the same name.
import { tokenExchangeGrant } from '@bailiwick/contract'
import type Provider from 'oidc-provider'
import { type KoaContextWithOIDC, errors } from 'oidc-provider'
import { findFollower } from '../../../identity/sessions/followers.ts'
import { findLiveSession } from '../../../identity/sessions/sessions.ts'
import { type SessionId, newId } from '../../../platform/ids.ts'
import { fromJson } from '../../../platform/json-text.ts'
import { findKeptResource } from '../../resources/resource-records.ts'
import { mayHoldToken } from '../configuration/accounts.ts'
import { applicationOf } from '../configuration/clients.ts'
import { secondsAhead } from '../requests/engine-time.ts'
import { type Family } from '../requests/request-store.ts'
import { currentTenancy } from '../tenancy.ts'
import { verifyAccessJwt } from './access-jwt.ts'
import { resourceServerInfo } from './resource-servers.ts'

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'
const jwtType = 'urn:ietf:params:oauth:token-type:jwt'
/** A chain of applications that act for each other is not followed further than this. */
const actorsMax = 5

const parameters = [
  'subject_token',
  'subject_token_type',
  'actor_token',
  'actor_token_type',
  'requested_token_type',
  'resource',
  'audience',
  'scope',
]

/** The actor, and for whom it acted (RFC 8693 section 4.1). */
export interface Act {
  readonly sub: string
  readonly act?: Act
}

/** What is known about a token of this tenant that is valid now. */
interface GivenToken {
  /** The user; null for an application that acts on its own behalf. */
  readonly userId: string | null
  readonly clientId: string
  readonly audience: string
  readonly scopes: readonly string[]
  /** In seconds. */
  readonly expiresAt: number
  readonly grantId: string | undefined
  /** Present if the token ends with a session. */
  readonly sid: string | undefined
  readonly act: Act | undefined
  /** Whether it is bound to a key, without whose proof it is worthless. */
  readonly isBound: boolean
}

type Ctx = KoaContextWithOIDC
const exchanges = new WeakMap<object, Act | undefined>()

/** Whether the token of this request is issued for another one. */
export const isExchanged = (ctx: Ctx): boolean => exchanges.has(ctx.oidc)

/** Lets the token of this request say who acts for the user. */
export const actAs = (ctx: Ctx, act: Act) => exchanges.set(ctx.oidc, act)

/** Returns the `act` claim of the token that is issued in this request. */
export const actOf = (ctx: Ctx): Act | undefined => exchanges.get(ctx.oidc)

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Returns what a JWT access token of this tenant says, and its claims, if it is valid now. */
export async function readJwt(token: string) {
  const { deps, tenant, issuer } = currentTenancy()
  const payload = await verifyAccessJwt(deps, tenant, token, {
    issuer: [...issuer.identifiers],
    requiredClaims: ['sub', 'exp', 'aud', 'client_id', 'jti'],
  })
  if (payload === undefined) return undefined
  const { sub, client_id: clientId, aud, exp = 0, scope, gid, sid, act, cnf } = payload
  // A session's JWT has no client.
  if (typeof clientId !== 'string' || typeof aud !== 'string') return undefined
  return {
    userId: sub === clientId ? null : (sub ?? null),
    clientId,
    audience: aud,
    scopes: (text(scope) ?? '').split(' ').filter(Boolean),
    expiresAt: exp,
    grantId: text(gid),
    sid: text(sid),
    act: act as Act | undefined,
    isBound: cnf !== undefined,
    claims: payload,
  }
}

async function readOpaque(ctx: Ctx, value: string): Promise<GivenToken | undefined> {
  const { provider } = ctx.oidc
  const token = (await provider.AccessToken.find(value)) ?? (await provider.ClientCredentials.find(value))
  if (token === undefined || token.isExpired || token.isSenderConstrained()) return undefined
  const { accountId, grantId, sid, extra } = token as {
    accountId?: string
    grantId?: string
    sid?: string
    extra?: { act?: Act; sid?: string }
  }
  const audience = text(token.aud)
  // A token only for the userinfo endpoint has no meaning for another resource.
  if (audience === undefined || token.clientId === undefined) return undefined
  return {
    userId: accountId ?? null,
    clientId: token.clientId,
    audience,
    scopes: [...token.scopes],
    expiresAt: (token.exp ?? 0) + secondsAhead(),
    grantId,
    sid: extra?.sid === undefined ? undefined : sid,
    act: extra?.act,
    isBound: false,
  }
}

/** @throws InvalidRequest for a token of another tenant, and for one that has expired, was revoked or has ended with its session or user. */
async function validToken(
  ctx: Ctx,
  name: 'subject_token' | 'actor_token',
): Promise<GivenToken & { session?: SessionId }> {
  const refused = new errors.InvalidRequest(`the ${name} is not valid`)
  const type = ctx.oidc.params?.[`${name}_type`]
  if (type !== accessTokenType && type !== jwtType) {
    throw new errors.InvalidRequest(`${name}_type must be ${accessTokenType}`)
  }
  const value = text(ctx.oidc.params?.[name])
  if (value === undefined) throw new errors.InvalidRequest(`${name} is required`)
  const given = await (value.includes('.') ? readJwt(value) : readOpaque(ctx, value))
  const holder = given === undefined || given.isBound ? undefined : await findHolder(ctx, given)
  if (given === undefined || holder === undefined) throw refused
  return { ...given, ...holder }
}

/** Returns the session that a token ends with, if any; undefined if its application, grant, user or session has ended. */
export async function findHolder(
  { oidc: { provider } }: Ctx,
  { clientId, userId, grantId, sid }: Pick<GivenToken, 'clientId' | 'userId' | 'grantId' | 'sid'>,
): Promise<{ readonly session?: SessionId } | undefined> {
  const { deps, tenant } = currentTenancy()
  if ((await provider.Client.find(clientId)) === undefined) return undefined
  if (userId === null) return {}
  const grant = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  if (grant === undefined || grant.accountId !== userId || grant.clientId !== clientId) return undefined
  if (!(await mayHoldToken(userId, grantId))) return undefined
  if (sid === undefined) return {}
  const follower = await findFollower(deps.db, tenant.row.id, sid)
  const session = follower && (await findLiveSession(deps.db, tenant.row.id, follower.session_id, deps.clock.now()))
  return session && { session: session.id }
}

/** Returns whether the tenant lists a resource in `exchangeFrom` or `exchangeTo` of the application. */
async function isListed(ctx: Ctx, list: 'exchange_from' | 'exchange_to', indicator: string): Promise<boolean> {
  const { deps, tenant } = currentTenancy()
  const application = applicationOf(ctx.oidc.client)?.row
  const resource = await findKeptResource(deps.db, tenant, indicator)
  return application !== undefined && resource !== undefined && fromJson(application[list]).includes(resource.id)
}

/** @throws InvalidRequest for a token of a resource that the application neither is nor acts for (RFC 8693 section 2.2.2). */
async function assertMayExchange(ctx: Ctx, name: 'subject_token' | 'actor_token', { audience }: GivenToken) {
  if (await isListed(ctx, 'exchange_from', audience)) return
  throw new errors.InvalidRequest(`exchangeFrom of this application does not list the resource of the ${name}`)
}

/** Returns the resource of the new token: the requested one, or that of the subject token. */
async function targetOf(ctx: Ctx, subject: GivenToken) {
  const { resource, audience, scope } = ctx.oidc.params ?? {}
  const asked = [resource, audience].flat().filter((each) => each !== undefined)
  if (new Set(asked).size > 1) throw new errors.InvalidTarget('only one resource can be requested')
  const indicator = text(asked[0]) ?? subject.audience
  const info = await resourceServerInfo(ctx, indicator)
  if (!(await isListed(ctx, 'exchange_to', indicator))) {
    throw new errors.InvalidTarget('exchangeTo of this application does not list this resource')
  }
  const offered = new Set(info.scope.split(' '))
  const wanted = text(scope)?.split(' ') ?? subject.scopes.filter((each) => offered.has(each))
  const refused = wanted.find((each) => !subject.scopes.includes(each) || !offered.has(each))
  if (refused !== undefined) throw new errors.InvalidScope('the subject token does not allow this scope', refused)
  if (wanted.length === 0) throw new errors.InvalidTarget('the subject token allows no scope of this resource')
  return { info, indicator, scopes: wanted }
}

async function actFor(ctx: Ctx, subject: GivenToken): Promise<Act | undefined> {
  const { actor_token: token, actor_token_type: type } = ctx.oidc.params ?? {}
  if (token === undefined && type === undefined) return subject.act
  const actor = await validToken(ctx, 'actor_token')
  if (actor.userId === null && actor.clientId !== ctx.oidc.client?.clientId) {
    throw new errors.InvalidRequest('the actor_token is that of another application')
  }
  if (actor.userId !== null) await assertMayExchange(ctx, 'actor_token', actor)
  const act = {
    sub: actor.userId ?? actor.clientId,
    ...(subject.act === undefined ? {} : { act: subject.act }),
  }
  let depth = 1
  for (let each: Act | undefined = act; each?.act !== undefined; each = each.act) depth++
  if (depth > actorsMax) throw new errors.InvalidRequest('the chain of actors is too long')
  return act
}

/** The new token ends with what the subject token belongs to: the user's grant, and the session if that token is bound to one. */
async function exchangedGrant(
  ctx: Ctx,
  userId: string,
  subject: GivenToken,
  indicator: string,
  scopes: readonly string[],
) {
  const { store, deps } = currentTenancy()
  const { provider, client } = ctx.oidc
  const family: Family | undefined = store.familyOf.get(subject.grantId ?? '')
  const remaining = subject.expiresAt - Math.floor(deps.clock.nowMs() / 1000)
  if (remaining <= 0) throw new errors.InvalidRequest('the subject_token is not valid')
  const grant = new provider.Grant({
    accountId: userId,
    clientId: client?.clientId ?? '',
    expiresIn: remaining,
  } as never)
  grant.addResourceScope(indicator, scopes.join(' '))
  grant.jti = newId()
  if (family !== undefined) store.familyOf.set(grant.jti, family)
  const beganIn = store.beganInByFamily.get(subject.grantId ?? '')
  if (beganIn !== undefined) store.beganInByFamily.set(grant.jti, beganIn)
  await grant.save()
  return { grantId: grant.jti, remaining }
}

async function exchange(ctx: Ctx) {
  const { provider, client, params } = ctx.oidc
  const { store } = currentTenancy()
  if (client === undefined) throw new errors.InvalidClient('client is required')
  const requested = params?.['requested_token_type']
  if (requested !== undefined && requested !== accessTokenType && requested !== jwtType) {
    throw new errors.InvalidRequest(`requested_token_type must be ${accessTokenType}`)
  }
  if (client.dpopBoundAccessTokens)
    throw new errors.InvalidRequest('a token that is bound to a key cannot be exchanged')
  const subject = await validToken(ctx, 'subject_token')
  if (subject.userId === null) throw new errors.InvalidRequest('the subject_token is not the token of a user')
  await assertMayExchange(ctx, 'subject_token', subject)
  const act = await actFor(ctx, subject)
  const { info, indicator, scopes } = await targetOf(ctx, subject)
  const { grantId, remaining } = await exchangedGrant(ctx, subject.userId, subject, indicator, scopes)
  exchanges.set(ctx.oidc, act)
  store.exchangedSession = subject.session
  const token = new provider.AccessToken({
    accountId: subject.userId,
    client,
    grantId,
    gty: tokenExchangeGrant,
    scope: scopes.join(' '),
    sid: subject.sid,
    expiresIn: Math.min(remaining, info.accessTokenTTL),
  })
  // Set as a time, not as a duration, which would begin a moment later.
  const now = Math.floor(currentTenancy().deps.clock.nowMs() / 1000)
  token.exp = Math.min(subject.expiresAt, now + info.accessTokenTTL) - secondsAhead()
  token.resourceServer = new provider.ResourceServer(indicator, info) as never
  ctx.oidc.entity('AccessToken', token)
  const value = await token.save()
  ctx.body = {
    access_token: value,
    issued_token_type: accessTokenType,
    token_type: token.tokenType,
    expires_in: token.expiration,
    scope: token.scope,
  }
}

export function registerTokenExchange(provider: Provider) {
  provider.registerGrantType(tokenExchangeGrant, (ctx) => exchange(ctx), parameters, ['resource', 'audience'])
}
