// What a user has set up to prove, beside the first factor, who it is.
import type { Reader } from '../db/database.ts'
import type { TenantId, UserId } from '../ids.ts'
import type { SecondFactorStrategy } from '../sign-in/offers.ts'

/** Held with the user by the transaction that decides by it. */
export async function enrolledSecondFactors(
  _db: Reader,
  _tenantId: TenantId,
  _userId: UserId,
): Promise<SecondFactorStrategy[]> {
  return []
}
