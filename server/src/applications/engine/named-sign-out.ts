// An application signs out a user whom it names by an ID token, and who is another account of the browser than the one that the engine would
// sign out: that account ends, and the others go on.
import type { KoaContextWithOIDC } from 'oidc-provider'
import { accountCookieIds, accountCookies, cookieName, readCookie } from '../../flows/frontend/cookies.ts'
import { endSession, usableSessions } from '../../identity/sessions/sessions.ts'
import { accountLabel } from '../../identity/users/present.ts'
import { findUsers } from '../../identity/users/users.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { SessionId } from '../../platform/ids.ts'
import { currentTenancy } from './tenancy.ts'

type Ctx = KoaContextWithOIDC

/** Returns the sessions of this tenant whose tokens the browser sends, and the names of their cookies. */
async function heldSessions(ctx: Ctx) {
  const { deps, tenant, issuer } = currentTenancy()
  if (!tenant.auth.severalAccountsEnabled) return []
  const { cookie: header } = ctx.req.headers
  const prefix = accountCookies(tenant, issuer.domain !== null)
  const ids = [...accountCookieIds(header, prefix)]
  const names = [cookieName('session', tenant, issuer.domain !== null), ...ids.map((id) => prefix + id)]
  const cookies = names.flatMap((name) => {
    const token = readCookie(header, name)
    return token === undefined ? [] : [{ name, hash: hashToken(token) }]
  })
  const rows = await usableSessions(deps, tenant, [...new Set(cookies.map(({ hash }) => hash))])
  return rows.map(({ token_hash: hash, ...row }) => ({
    row,
    cookies: cookies.filter((cookie) => cookie.hash === hash).map(({ name }) => name),
  }))
}

/** Returns the account of the user whom the application names, if the browser holds it and the engine's session is somebody else's. */
export async function findNamedAccount(ctx: Ctx): Promise<{ readonly id: string; readonly name: string } | undefined> {
  const hint = ctx.oidc.entities['IdTokenHint'] as { readonly payload?: { readonly sub?: string } } | undefined
  const named = hint?.payload?.sub
  if (named === undefined || named === ctx.oidc.session?.accountId) return undefined
  const found = (await heldSessions(ctx)).find(({ row }) => row.user_id === named)
  if (found === undefined) return undefined
  const { deps, tenant } = currentTenancy()
  const [user] = await findUsers(deps, tenant.row.id, [found.row.user_id])
  return user === undefined ? undefined : { id: found.row.id, name: accountLabel(user) }
}

/** Returns the account that the form is for; undefined if it is for the engine's own session. */
function accountInForm({ oidc }: Ctx): string | undefined {
  const { account } = ((oidc as { readonly body?: unknown }).body ?? {}) as { readonly account?: unknown }
  return typeof account === 'string' && account !== '' ? account : undefined
}

/** Whether the form that the engine has accepted is for another account than its own. */
export const isForAccount = (ctx: Ctx): boolean => ctx.status === 303 && accountInForm(ctx) !== undefined

/**
 * Ends the account, if this browser holds it. Whatever the engine has ended for its own session goes on, because nothing is committed.
 * Returns the session that ended.
 */
export async function endNamedAccount(ctx: Ctx): Promise<SessionId | undefined> {
  ctx.remove('set-cookie')
  const { deps, tenant, actor } = currentTenancy()
  const id = accountInForm(ctx)
  const found = (await heldSessions(ctx)).find(({ row }) => row.id === id)
  if (found === undefined) return undefined
  const { row, cookies } = found
  for (const name of cookies) ctx.append('set-cookie', `${name}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`)
  try {
    await endSession(deps, tenant.row.id, row.id, { ...actor, type: 'user', id: row.user_id })
  } catch (error) {
    // The session was ended elsewhere a moment ago.
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
  }
  return row.id
}
