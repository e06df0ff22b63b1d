// What introspection (RFC 7662) says of a token: that of the moment, not of the time when the token was issued.
import type { KoaContextWithOIDC } from 'oidc-provider'
import { accessClaims, mayHoldToken } from '../configuration/accounts.ts'
import { isOfTenant } from '../configuration/clients.ts'
import { claimsOfToken, withoutClaims } from './custom-claims.ts'
import { findHolder, readJwt } from './token-exchange.ts'

interface Introspected {
  readonly clientId?: string | undefined
  readonly accountId?: string
  readonly grantId?: string
}

/**
 * Tokens of other applications are introspected by resource servers, which the tenant has registered and which authenticate. A client that
 * has registered or described itself could be anybody.
 */
export async function mayIntrospect(
  _ctx: KoaContextWithOIDC,
  client: { readonly clientId: string; readonly clientAuthMethod?: string | undefined },
  token: object,
): Promise<boolean> {
  const { clientId, accountId, grantId } = token as Introspected
  const isResourceServer = client.clientAuthMethod !== 'none' && isOfTenant(client)
  if (!isResourceServer && clientId !== client.clientId) return false
  return accountId === undefined || mayHoldToken(accountId, grantId)
}

/** Replaces the organization and the permissions in the answer by the present ones. */
export async function refreshClaims(ctx: KoaContextWithOIDC) {
  const token = ctx.oidc.entities.AccessToken
  const answer = ctx.body as Readonly<Record<string, unknown>>
  if (token === undefined || ctx.status !== 200 || answer['active'] !== true || answer['permissions'] === undefined)
    return
  const { org_id: _before, ...rest } = withoutClaims(answer)
  const { accountId: userId, clientId, grantId, scopes } = token
  const audience = typeof token.aud === 'string' ? token.aud : undefined
  const own = await claimsOfToken(ctx, 'access', { userId, clientId, grantId, audience, scopes })
  ctx.body = { ...own, ...rest, ...(await accessClaims(userId, grantId, scopes)) }
}

/** Returns whether the engine has authenticated the client and then refused a token because it is a JWT. */
export const isJwtIntrospected = ({ body, oidc }: KoaContextWithOIDC): boolean =>
  oidc.client !== undefined && (body as { readonly error?: unknown } | undefined)?.error === 'unsupported_token_type'

/** Describes a JWT access token, which the engine does not store, by its claims and by whether what it belongs to has ended. */
export async function introspectJwt(ctx: KoaContextWithOIDC) {
  const { client, params } = ctx.oidc
  ctx.status = 200
  ctx.body = { active: false }
  const token = await readJwt(String(params?.['token']))
  if (token === undefined || client === undefined) return
  if ((await findHolder(ctx, token)) === undefined) return
  const { userId, clientId, grantId, scopes, claims, isBound } = token
  const described = { clientId, ...(userId === null ? {} : { accountId: userId, grantId: grantId ?? '' }) }
  if (!(await mayIntrospect(ctx, client, described))) return
  const { org_id: _before, gid: _gid, ...rest } = withoutClaims(claims)
  const now = userId === null ? {} : await accessClaims(userId, grantId, scopes)
  const issued = { userId: userId ?? undefined, clientId, grantId, audience: token.audience, scopes }
  ctx.body = {
    ...(await claimsOfToken(ctx, 'access', issued)),
    ...rest,
    ...now,
    active: true,
    token_type: isBound ? 'DPoP' : 'Bearer',
  }
}
