// Verifies the JWTs that a tenant's authorization server has issued as access tokens (RFC 9068 section 4, with RFC 8725 section 3): one
// algorithm, one type, and only keys of this tenant.
import { createPublicKey } from 'node:crypto'
import type { IdTokenAlgorithm } from '@bailiwick/contract'
import type { JWTHeaderParameters, JWTPayload } from 'jose'
import type { Deps } from '../../../identity/deps.ts'
import { signingKeyTables } from '../../../platform/crypto/tables.ts'
import type { TenantEntry } from '../../../tenancy/tenants/tenant-entry.ts'

const clockToleranceSeconds = 5
const kidPattern = /^[\w-]{1,64}$/

/**
 * Finds a key of the tenant by the id that a token names, which is anybody's text.
 * @param algorithm that of the token: a key is only ever used for its own (RFC 8725 section 3.1).
 */
export async function publicKeyOf(
  { db }: Pick<Deps, 'db'>,
  { row: { id } }: TenantEntry,
  kid: unknown,
  algorithm: IdTokenAlgorithm,
) {
  if (typeof kid !== 'string' || !kidPattern.test(kid)) return undefined
  const row = await signingKeyTables[algorithm].first(db)`tenant_id = ${id} AND kid = ${kid}`
  return row && createPublicKey(row.public_pem)
}

interface Expected {
  readonly issuer: string | string[]
  /** Any resource if left out. */
  readonly audience?: string
  readonly requiredClaims: string[]
}

/** Returns the claims of an access token of the tenant if it is valid now, otherwise undefined. */
export async function verifyAccessJwt(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  tenant: TenantEntry,
  token: string,
  expected: Expected,
): Promise<JWTPayload | undefined> {
  const { errors, jwtVerify } = await import('jose')
  const keyOf = async ({ kid }: JWTHeaderParameters) => {
    const key = await publicKeyOf({ db }, tenant, kid, 'ES256')
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      ...expected,
      algorithms: ['ES256'],
      typ: 'at+jwt',
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(clock.nowMs()),
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
