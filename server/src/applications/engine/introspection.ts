// What introspection (RFC 7662) says of a token: that of the moment, not of the time when the token was issued.
import type { KoaContextWithOIDC } from 'oidc-provider'
import { accessClaims, mayHoldToken } from './accounts.ts'
import { isOfTenant } from './clients.ts'

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
  if (token === undefined || answer['active'] !== true || answer['permissions'] === undefined) return
  const { org_id: _before, ...rest } = answer
  ctx.body = { ...rest, ...(await accessClaims(token.accountId, token.grantId, token.scopes)) }
}
