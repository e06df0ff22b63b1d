import type { Reader } from '../../platform/db/database.ts'
import type { UserId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-directory.ts'
import { findUser } from '../users/users.ts'
import type { PasswordContext } from './chosen-password.ts'

/** What a password of this user must not follow from; of nobody, what holds for everybody. */
export async function contextOfUser(
  db: Reader,
  { row }: TenantEntry,
  userId: UserId | null | undefined,
): Promise<PasswordContext> {
  const user = userId === null || userId === undefined ? undefined : await findUser(db, row.id, userId)
  const { name = null, username = null } = user?.row ?? {}
  const emails = user?.emailAddresses.map(({ email }) => email) ?? []
  return { tenantName: row.name, name, username, emails, phones: user?.phoneNumbers.map(({ phone }) => phone) ?? [] }
}
