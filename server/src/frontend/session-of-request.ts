// Who is signed in: by the session's cookie, or by its token as a Bearer. One that is present must be live and this tenant's.
import type { FastifyRequest } from 'fastify'
import { hashToken, hasValidChecksum } from '../crypto/tokens.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import type { LiveSession } from '../sessions/session-directory.ts'
import { cookieName, readCookie } from './cookies.ts'
import type { TenantOfRequest } from './tenant-of-request.ts'

const bearer = /^Bearer ([\w-]{1,512})$/i

/**
 * At once where memory has it, else a promise.
 * @param beforeLookUp called before the database is asked.
 * @throws ApiError unauthenticated for a Bearer that is no live session; a cookie that is none is no session.
 */
export function sessionOfRequest(
  { sessions }: Deps,
  { headers }: FastifyRequest,
  { tenant, isOwnDomain }: TenantOfRequest,
  beforeLookUp: () => void,
): LiveSession | undefined | Promise<LiveSession | undefined> {
  const { authorization } = headers
  const token =
    authorization === undefined
      ? readCookie(headers.cookie, cookieName('session', tenant, isOwnDomain))
      : bearer.exec(authorization)?.[1]
  const ofTenant = (found: LiveSession | undefined) => {
    const session = found?.row.tenant_id === tenant.row.id ? found : undefined
    if (authorization !== undefined && session === undefined) throw new ApiError('unauthenticated')
    return session
  }
  const isToken = token?.startsWith('se_') === true && hasValidChecksum(token)
  const found = isToken ? sessions.find(hashToken(token), beforeLookUp) : undefined
  return found instanceof Promise ? found.then(ofTenant) : ofTenant(found)
}
