// The second factors that a user has set up.
import type { SignInStrategy, TenantAuthSettings } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { SecondFactorStrategy } from '../../tenancy/tenants/second-factor-settings.ts'
import { offered, secondFactors } from './offers.ts'
import { selectRecoveryCodes } from './recovery-codes.ts'

/** Returns the second factors that a user has set up. A transaction that decides by them holds the user. */
export async function enrolledSecondFactors(
  db: Reader,
  tenantId: TenantId,
  userId: UserId,
): Promise<SecondFactorStrategy[]> {
  const rows = await db.all<{ kind: SecondFactorStrategy }>(sql`SELECT 'authenticator_code' AS kind
    FROM authenticator_codes WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND is_confirmed = 1
    UNION ALL SELECT 'security_key' AS kind WHERE EXISTS
      (SELECT 1 FROM passkeys WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND is_second_factor = 1)`)
  return rows.map(({ kind }) => kind)
}

/**
 * Returns the second factors of which one has to be proven to complete a sign-in; none if the user has set up none that the tenant accepts.
 * Recovery codes replace a factor that was lost, so a user who has only a passkey may use one too.
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
