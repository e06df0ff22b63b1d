import type { Reader } from '../../platform/db/database.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { Chooser } from '../passwords/password-policy.ts'
import { findUserWithContacts } from '../users/users.ts'

/** Returns what is known about a user who chooses a password. Without a user, the result is empty, and only the general rules apply. */
export async function chooserOf(db: Reader, tenantId: TenantId, userId: UserId | null | undefined): Promise<Chooser> {
  const user = userId === null || userId === undefined ? undefined : await findUserWithContacts(db, tenantId, userId)
  const { name = null, username = null } = user?.row ?? {}
  const emails = user?.emailAddresses.map(({ email }) => email) ?? []
  return { name, username, emails, phones: user?.phoneNumbers.map(({ phone }) => phone) ?? [] }
}
