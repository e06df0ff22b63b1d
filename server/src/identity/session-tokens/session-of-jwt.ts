// A session's JWT as a credential. It only proves which session it was made for: the session must be live, and the rights are those of this
// moment.
import { createPublicKey } from 'node:crypto'
import type { JWTHeaderParameters, JWTPayload } from 'jose'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import type { LiveSession } from '../sessions/live-session.ts'
import { issuerOf, jwtType } from './session-jwt.ts'

const clockToleranceSeconds = 5

/** Nothing is known yet about the header, so its values may be of any type. */
const isKeyId = (kid: unknown): kid is string => typeof kid === 'string' && /^[\w-]{1,64}$/.test(kid)

const selectKey = (db: Reader, tenantId: TenantId, kid: string) =>
  db.first<{ public_pem: string }>(
    sql`SELECT public_pem FROM signing_keys WHERE tenant_id = ${tenantId} AND kid = ${kid}`,
  )

/** RFC 8725 §3: one algorithm, keys of this issuer alone, and every claim that names the issuer, subject and audience. */
async function verified(deps: Deps, tenant: TenantEntry, token: string): Promise<JWTPayload | 'expired' | undefined> {
  // Most deployments never see such a token, so the library is loaded late.
  const { errors, jwtVerify } = await import('jose')
  const keyOf = async ({ kid }: JWTHeaderParameters) => {
    const key = isKeyId(kid) ? await selectKey(deps.db, tenant.row.id, kid) : undefined
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return createPublicKey(key.public_pem)
  }
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: ['ES256'],
      typ: jwtType,
      issuer: issuerOf(deps, tenant),
      audience: tenant.row.public_key,
      requiredClaims: ['sub', 'exp', 'nbf'],
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(deps.clock.nowMs()),
    })
    return payload
  } catch (error) {
    // Expiry is checked last: everything else about the token is right.
    if (error instanceof errors.JWTExpired) return 'expired'
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

const sessionIdOf = ({ claims }: JWTPayload) => (claims as { readonly sessionId?: unknown } | undefined)?.sessionId

/** Finds the live session that a JWT of the tenant was made for. */
export async function sessionOfJwt(
  deps: Deps,
  tenant: TenantEntry,
  token: string,
): Promise<LiveSession | 'expired' | undefined> {
  const payload = await verified(deps, tenant, token)
  if (payload === 'expired' || payload === undefined) return payload
  const sessionId = sessionIdOf(payload)
  if (typeof sessionId !== 'string') return undefined
  const found = await deps.sessions.findById(tenant.row.id, sessionId)
  return found?.row.user_id === payload.sub ? found : undefined
}
