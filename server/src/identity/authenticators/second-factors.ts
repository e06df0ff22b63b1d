// What a user has set up to prove, beside the first factor, who it is.
import type { SignInStrategy, TenantAuthSettings } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { type SecondFactorStrategy, offered, secondFactors } from './offers.ts'
import { selectRecoveryCodes } from './recovery-codes.ts'

/** Held with the user by the transaction that decides by it. */
export async function enrolledSecondFactors(
  db: Reader,
  tenantId: TenantId,
  userId: UserId,
): Promise<SecondFactorStrategy[]> {
  const rows = await db.all<{ kind: SecondFactorStrategy }>(sql`SELECT 'authenticator_code' AS kind
    FROM authenticator_codes WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND is_confirmed = 1
    UNION ALL SELECT 'security_key' AS kind WHERE EXISTS
      (SELECT 1 FROM passkeys WHERE tenant_id = ${tenantId} AND user_id = ${userId})`)
  return rows.map(({ kind }) => kind)
}

/**
 * The second factors that a sign-in has to go on with, of which one is proven; none where the user has enrolled none that the tenant
 * takes. Recovery codes stand in for what was lost, so that who has only a passkey may give one too.
 */
export async function secondFactorsToProve(
  db: Reader,
  auth: TenantAuthSettings,
  tenantId: TenantId,
  userId: UserId,
  enrolled: readonly SecondFactorStrategy[],
): Promise<SignInStrategy[]> {
  const usable = offered(secondFactors(auth, enrolled))
  if (usable.length === 0 || enrolled.includes('authenticator_code')) return usable
  const codes = await selectRecoveryCodes(db, tenantId, userId)
  return codes.length === 0 ? usable : offered(secondFactors(auth, [...enrolled, 'authenticator_code']))
}
