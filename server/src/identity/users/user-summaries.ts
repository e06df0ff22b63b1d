// What lists show beside their records: who a user is. One statement in place of the four that a complete record takes.
import type { UserSummary } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import { presentUserSummary } from './present.ts'
import { type UserWithAddressRow, selectPhoneNumbersOf, selectUsersWithAddresses } from './queries.ts'

const isNameless = ({ name, username, email_id }: UserWithAddressRow) =>
  name === null && username === null && email_id === null

/** Returns the summaries of users by id; ids that name nobody are left out. */
export async function findUserSummaries(
  db: Reader,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, UserSummary>> {
  if (ids.length === 0) return new Map()
  const rows = await selectUsersWithAddresses(db, tenantId, ids)
  const nameless = rows.filter(isNameless).map((row) => row.id)
  const phones = nameless.length === 0 ? [] : await selectPhoneNumbersOf(db, tenantId, nameless)
  const summaries = new Map<string, UserSummary>()
  for (const [id, ofUser] of Map.groupBy(rows, (row): string => row.id)) {
    const [row] = ofUser
    if (row === undefined) continue
    const emailAddresses = ofUser.flatMap(({ email_id, email, verified_at }) =>
      email_id === null || email === null ? [] : [{ id: email_id, email, verified_at }],
    )
    const phoneNumbers = phones.filter((phone) => phone.user_id === id)
    summaries.set(id, presentUserSummary({ row, emailAddresses, phoneNumbers }))
  }
  return summaries
}
