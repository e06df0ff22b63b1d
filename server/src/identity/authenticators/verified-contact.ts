// The address by which users prove who they are before they set up their first second factor.
import { canonicalPhone, emailKey } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { StrategyFacts } from '../../tenancy/auth-configuration/usable-strategies.ts'
import { emailAddressesOf, getUserRow, phoneNumbersOf } from '../users/find-user.ts'

export interface VerifiedContact {
  readonly strategy: 'email_code' | 'phone_code'
  readonly value: string
  /** The form in which the address is compared. */
  readonly key: string
}

/**
 * Returns a verified e-mail address, or else a verified phone number, the primary one first, to which the tenant can send a code; undefined
 * if the user has none.
 */
export async function findVerifiedContact(
  db: Reader,
  tenantId: TenantId,
  userId: UserId,
  { hasEmailChannel, hasSmsChannel }: Pick<StrategyFacts, 'hasEmailChannel' | 'hasSmsChannel'>,
): Promise<VerifiedContact | undefined> {
  const user = await getUserRow(db, tenantId, userId)
  const emails = (hasEmailChannel ? await emailAddressesOf(db, tenantId, userId) : []).filter(
    ({ verified_at: at }) => at !== null,
  )
  const email = emails.find(({ id }) => id === user.primary_email_id) ?? emails[0]
  if (email !== undefined) return { strategy: 'email_code', value: email.email, key: emailKey(email.email) }
  const phones = (hasSmsChannel ? await phoneNumbersOf(db, tenantId, userId) : []).filter(
    ({ verified_at: at }) => at !== null,
  )
  const phone = phones.find(({ id }) => id === user.primary_phone_id) ?? phones[0]
  return phone && { strategy: 'phone_code', value: phone.phone, key: canonicalPhone(phone.phone) }
}
