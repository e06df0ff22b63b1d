// Codes on paper for when the authenticator app is lost: each replaces a code of the app once. They have 118 bits, so a plain hash of them
// is of no use to an attacker.
import type { Timestamp } from '../../platform/clock.ts'
import { createRandomText } from '../../platform/crypto/random-text.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { recoveryCodes } from './tables.ts'

/** No character of this alphabet can be mistaken for another. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const randomText = createRandomText(alphabet)
const groups = 6
const groupLength = 4
export const recoveryCodesCount = 10

const newCode = () => Array.from({ length: groups }, () => randomText(groupLength)).join('-')
export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodesCount }, newCode)

/** Codes may be typed with or without hyphens and spaces, in upper or lower case. */
const normalised = (code: string) => code.toLowerCase().replaceAll(/[\s-]/g, '')
// oxlint-disable-next-line bailiwick/linear-expressions -- one class, a fixed number of times
const shape = new RegExp(`^[${alphabet}]{${groups * groupLength}}$`)
export const isRecoveryShaped = (code: string): boolean => shape.test(normalised(code))

export const deleteRecoveryCodes = (tenantId: TenantId, userId: UserId): Statement =>
  sql`DELETE FROM recovery_codes WHERE tenant_id = ${tenantId} AND user_id = ${userId}`

export const insertRecoveryCodes = (
  tenantId: TenantId,
  userId: UserId,
  codes: readonly string[],
  at: Timestamp,
): Statement =>
  recoveryCodes.insertAll(
    codes.map((code) => ({
      tenant_id: tenantId,
      user_id: userId,
      code_hash: hashToken(normalised(code)),
      created_at: at,
    })),
  )

export const selectRecoveryCodes = (db: Reader, tenantId: TenantId, userId: UserId) =>
  recoveryCodes.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} LIMIT ${recoveryCodesCount}`

/** Returns whether the code was one of the user's. Removes it, and notes the time of use at the codes that are left. */
export async function takeRecoveryCode(
  tx: Transaction,
  { tenantId, userId, code, at }: { tenantId: TenantId; userId: UserId; code: string; at: Timestamp },
): Promise<boolean> {
  if ((await tx.run(recoveryCodes.delete(tenantId, userId, hashToken(normalised(code))))) !== 1) return false
  await tx.run(
    sql`UPDATE recovery_codes SET last_used_at = ${at} WHERE tenant_id = ${tenantId} AND user_id = ${userId}`,
  )
  return true
}
