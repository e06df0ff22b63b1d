// The addresses to which codes are sent: before a user sets up the first second factor, and as a second factor where the tenant allows it.
import { type TenantAuthSettings, canonicalPhone, emailKey } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { StrategyFacts } from '../../tenancy/auth-configuration/usable-strategies.ts'
import { passwords } from '../passwords/tables.ts'
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

type Channel = 'email' | 'phone'

/** Returns the channels by which codes or links were proven. */
export const channelsOf = (factors: readonly string[]): Channel[] => [
  ...(factors.some((name) => name === 'email_code' || name === 'email_link') ? (['email'] as const) : []),
  ...(factors.includes('phone_code') ? (['phone'] as const) : []),
]

/** Returns the strategies of codes that the tenant allows as a second factor. */
export const codesAllowed = (auth: TenantAuthSettings): VerifiedContact['strategy'][] => [
  ...(auth.strategySecondEmailCodeEnabled ? (['email_code'] as const) : []),
  ...(auth.strategySecondPhoneCodeEnabled ? (['phone_code'] as const) : []),
]

/** Returns the contact to which a tenant can send a code of this strategy. */
export const findContactFor = (
  db: Reader,
  tenantId: TenantId,
  userId: UserId,
  facts: Pick<StrategyFacts, 'hasEmailChannel' | 'hasSmsChannel'>,
  strategy: VerifiedContact['strategy'],
) =>
  findVerifiedContact(db, tenantId, userId, {
    hasEmailChannel: facts.hasEmailChannel && strategy === 'email_code',
    hasSmsChannel: facts.hasSmsChannel && strategy === 'phone_code',
  })

/**
 * Returns the contact to which a code counts as a second factor beside what was proven: never by the same channel, by which a password may
 * have been reset as well.
 */
export async function findSecondContact(
  db: Reader,
  auth: TenantAuthSettings,
  { tenantId, userId }: { readonly tenantId: TenantId; readonly userId: UserId },
  facts: Pick<StrategyFacts, 'hasEmailChannel' | 'hasSmsChannel'>,
  proven: readonly string[],
): Promise<VerifiedContact | undefined> {
  const allowed = codesAllowed(auth)
  if (allowed.length === 0) return undefined
  const isByPassword = proven.some((name) => name.endsWith('_password'))
  const password = isByPassword ? await passwords.byKey(db, tenantId, userId) : undefined
  const used: readonly (Channel | null | undefined)[] = [...channelsOf(proven), password?.reset_by]
  for (const strategy of allowed) {
    if (used.includes(strategy === 'email_code' ? 'email' : 'phone')) continue
    const contact = await findContactFor(db, tenantId, userId, facts, strategy)
    if (contact !== undefined) return contact
  }
  return undefined
}
