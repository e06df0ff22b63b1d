// What users have for signing in, by the strategies that it fits.
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { type FactorRow, selectFactorsAmong } from './queries.ts'
import { type FirstFactorStrategy, firstFactorStrategies } from './usable-strategies.ts'

/** Whether a user has what a strategy requires. */
export const isFor: Readonly<Record<FirstFactorStrategy, (user: FactorRow) => boolean>> = {
  username_password: (user) => user.has_username === 1 && user.has_password === 1,
  email_password: (user) => user.has_email === 1 && user.has_password === 1,
  phone_password: (user) => user.has_phone === 1 && user.has_password === 1,
  email_link: (user) => user.has_email === 1,
  email_code: (user) => user.has_email === 1,
  phone_code: (user) => user.has_phone === 1,
  oauth: (user) => user.has_connection === 1,
  security_key: (user) => user.has_passkey === 1,
}

/** Returns the strategies for which each active user has what they need. Users who are not active are left out. */
export async function findWaysIn(db: Reader, tenantId: TenantId, userIds: readonly UserId[]) {
  const rows = userIds.length === 0 ? [] : await selectFactorsAmong(db, tenantId, userIds)
  return new Map<UserId, readonly FirstFactorStrategy[]>(
    rows.map((row) => [row.id, firstFactorStrategies.filter((strategy) => isFor[strategy](row))]),
  )
}
