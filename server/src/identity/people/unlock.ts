// What an administrator clears for a user who was locked out by others.
import { canonicalPhone, emailKey, usernameKey } from '@bailiwick/contract'
import { hashToken } from '../../platform/crypto/tokens.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { clearFailures } from '../lockout/lockout.ts'
import { quotaSubject } from '../one-time-codes/one-time-codes.ts'
import { type UserRow, emailAddressesOf, phoneNumbersOf } from '../users/find-user.ts'

/** The quotas of a user that strangers can use up, by the account or by an identifier. */
const names = ['account_codes:day', 'authenticator_codes:5min', 'codes:30s', 'codes:hour', 'codes:day', 'resets:hour']

/**
 * Forgets guesses at the user's account and the count of messages sent to it, in the caller's transaction, which holds the user.
 * @returns whether there was anything to forget.
 */
export async function unlock(tx: Transaction, { tenant_id: tenantId, id, username }: UserRow): Promise<boolean> {
  const emails = await emailAddressesOf(tx, tenantId, id)
  const phones = await phoneNumbersOf(tx, tenantId, id)
  const subjects = [
    id,
    ...emails.map(({ email }) => emailKey(email)),
    ...phones.map(({ phone }) => canonicalPhone(phone)),
    ...(username === null ? [] : [usernameKey(username)]),
  ]
  const hashes = subjects.flatMap((subject) =>
    [false, true].map((isKnown) => hashToken(quotaSubject(isKnown, subject))),
  )
  const guesses = await tx.run(clearFailures(tenantId, id))
  const quotas = await tx.run(sql`DELETE FROM quotas
    WHERE tenant_id = ${tenantId} AND name IN (${sql.list(names)}) AND subject IN (${sql.list(hashes)})`)
  return guesses + quotas > 0
}
