// Finds the signed-in user: by the session's cookie, or by its token as a Bearer; for reads also by a JWT of the session. A credential that
// is present must be live and belong to this tenant.
import { tokenPrefixes } from '@bailiwick/contract'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../identity/deps.ts'
import { sessionOfJwt } from '../../identity/session-tokens/session-of-jwt.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import { hashToken, hasValidChecksum } from '../../platform/crypto/tokens.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { bearerToken, isJwt } from '../../platform/http/credentials/bearer-token.ts'
import { type MaybePromise, whenReady } from '../../platform/maybe-promise.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { cookieName, readCookie } from './cookies.ts'
import type { TenantOfRequest } from './tenant-of-request.ts'

export const isReading = (method: string) => method === 'GET' || method === 'HEAD'

/**
 * A JWT is shown to other servers, so it can read but change nothing.
 * @throws ApiError unauthenticated, token_expired, session_token_required
 */
async function sessionByJwt(
  deps: Deps,
  { method }: FastifyRequest,
  tenant: TenantEntry,
  jwt: string,
  beforeLookUp: () => void,
): Promise<LiveSession> {
  if (!isReading(method)) throw new ApiError('session_token_required')
  beforeLookUp()
  const session = await sessionOfJwt(deps, tenant, jwt)
  if (session === 'expired') throw new ApiError('token_expired')
  if (session === undefined) throw new ApiError('unauthenticated')
  return session
}

/**
 * Returns at once if the session is in memory, else a promise.
 * @param beforeLookUp called before the database is asked.
 * @throws ApiError unauthenticated for a Bearer that is not a live session; an invalid cookie counts as no session.
 */
export function sessionOfRequest(
  deps: Deps,
  request: FastifyRequest,
  { tenant, isOwnDomain }: TenantOfRequest,
  beforeLookUp: () => void,
): MaybePromise<LiveSession | undefined> {
  const { authorization, cookie } = request.headers
  const token =
    authorization === undefined
      ? readCookie(cookie, cookieName('session', tenant, isOwnDomain))
      : bearerToken(authorization)
  if (token !== undefined && isJwt(token)) return sessionByJwt(deps, request, tenant, token, beforeLookUp)
  const ofTenant = (found: LiveSession | undefined) => {
    const session = found?.row.tenant_id === tenant.row.id ? found : undefined
    if (authorization !== undefined && session === undefined) throw new ApiError('unauthenticated')
    return session
  }
  const isToken = token?.startsWith(tokenPrefixes.session) === true && hasValidChecksum(token)
  const found = isToken ? deps.sessions.find(hashToken(token), beforeLookUp, tenant.row.id) : undefined
  return whenReady(found, ofTenant)
}
