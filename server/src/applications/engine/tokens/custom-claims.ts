// The claims that a tenant adds to ID tokens, access tokens, the answers of the userinfo endpoint and those of introspection.
import type { ClaimToken } from '@bailiwick/contract'
import { type KoaContextWithOIDC, errors } from 'oidc-provider'
import { customClaims } from '../../../identity/session-tokens/custom-claims.ts'
import { hasTokenHooks } from '../../../identity/session-tokens/hooked-claims.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { type CompiledClaims, tellsOfSignIn } from '../../../tenancy/tenants/claims/compile.ts'
import { findActingMembership, findActiveUser } from '../configuration/accounts.ts'
import { applicationOf, isOfTenant } from '../configuration/clients.ts'
import { currentTenancy } from '../tenancy.ts'

type Ctx = KoaContextWithOIDC

interface IssuedToken {
  readonly userId: string | undefined
  readonly clientId: string | undefined
  readonly grantId: string | undefined
  readonly audience?: string | undefined
  readonly scopes: Iterable<string>
}

/** Returns the scopes of OpenID Connect and of the tenant that the user has allowed, besides those that the token itself has. */
async function allowedScopes(ctx: Ctx, { grantId, scopes }: IssuedToken): Promise<Set<string>> {
  const { Grant, RotatedRefreshToken, RefreshToken, AuthorizationCode, DeviceCode } = ctx.oidc.entities
  const grant =
    Grant?.jti === grantId ? Grant : grantId === undefined ? undefined : await ctx.oidc.provider.Grant.find(grantId)
  const allowed = new Set(grant?.getOIDCScope().split(' '))
  const source = AuthorizationCode ?? RotatedRefreshToken ?? RefreshToken ?? DeviceCode
  const requested = source === undefined ? allowed : new Set(source.scopes)
  return new Set([...scopes, ...[...allowed].filter((scope) => requested.has(scope))])
}

/** Returns the session in which the user has let the application in; undefined if no claim tells of it. */
async function findBeginning(
  { oidc: { provider } }: Ctx,
  claims: CompiledClaims | undefined,
  token: ClaimToken,
  grantId = '',
) {
  if (claims?.byToken[token].some(tellsOfSignIn) !== true) return undefined
  const { beganInByFamily } = currentTenancy().store
  // The store learns it from the grant, which not every request has read.
  if (!beganInByFamily.has(grantId)) await provider.Grant.find(grantId)
  return beganInByFamily.get(grantId)
}

/** Returns the tenant's claims for one token as they are now; an empty object for an application's own token. */
export async function claimsOfToken(ctx: Ctx, token: ClaimToken, issued: IssuedToken) {
  const { deps, tenant, store } = currentTenancy()
  const { userId, clientId, grantId, audience } = issued
  if (userId === undefined || clientId === undefined) return {}
  const isMapped = (tenant.claims?.byToken[token] ?? []).length > 0
  if (!isMapped && (token === 'userinfo' || !(await hasTokenHooks(deps, tenant)))) return {}
  const [client, user] = await Promise.all([ctx.oidc.provider.Client.find(clientId), findActiveUser(userId)])
  if (client === undefined || user === undefined) return {}
  const membership = await findActingMembership(store.familyOf.get(grantId ?? '')?.organizationId, userId)
  const scopes = token === 'access' ? await allowedScopes(ctx, issued) : new Set(issued.scopes)
  const subject = { user, membership, sessionId: await findBeginning(ctx, tenant.claims, token, grantId) }
  const claims = customClaims(deps, tenant, token, subject, {
    applicationId: applicationOf(client)?.row.id ?? store.applicationOf.get(clientId),
    audience,
    scopes,
    isThirdParty: !isOfTenant(client),
  })
  return claims.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'hook_denied') throw error
    throw new errors.AccessDenied(error.message)
  })
}

/** Returns an answer of introspection without the claims that the tenant adds to access tokens, to which the present ones are added. */
export function withoutClaims<Answer extends Readonly<Record<string, unknown>>>(answer: Answer): Answer {
  const own = currentTenancy().tenant.claims?.byToken.access ?? []
  if (own.length === 0) return answer
  const names = new Set(own.map(({ name }) => name))
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !names.has(name))) as Answer
}

/** Adds the tenant's claims to an answer of the userinfo endpoint. */
export async function addUserinfoClaims(ctx: Ctx) {
  const token = ctx.oidc.entities.AccessToken
  if (token === undefined || ctx.status !== 200 || typeof ctx.body !== 'object' || ctx.body === null) return
  const { accountId: userId, clientId, grantId } = token
  const scopes = ctx.oidc.entities.Grant?.getOIDCScopeFiltered(token.scopes).split(' ') ?? []
  const own = await claimsOfToken(ctx, 'userinfo', { userId, clientId, grantId, scopes })
  ctx.body = { ...own, ...ctx.body }
}
