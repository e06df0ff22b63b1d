// What lists show beside their records: who a user is. One statement in place of the four that a complete record takes.
import type { UserSummary } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { Fragment } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { presentUserSummary } from './present.ts'
import {
  type PhoneNumberRow,
  type UserWithAddressRow,
  selectPhoneNumbersOf,
  selectUsersWithAddresses,
  selectWithUsersAndAddresses,
} from './user-records.ts'

/** Selects the phone numbers of users who have no other name. */
async function selectPhonesOfNameless(db: Reader, tenantId: TenantId, rows: readonly UserWithAddressRow[]) {
  const nameless = rows.filter((row) => row.user_name === null && row.username === null && row.email_id === null)
  const ids = [...new Set(nameless.map((row) => row.user_id))]
  return ids.length === 0 ? [] : selectPhoneNumbersOf(db, tenantId, ids)
}

const byTime = (one: UserWithAddressRow, other: UserWithAddressRow) =>
  (one.email_created_at ?? '') < (other.email_created_at ?? '') ? -1 : 1

/** Returns the summary of a user. @param rows a row for each address, at least one. */
function summaryOf(rows: readonly UserWithAddressRow[], phones: readonly PhoneNumberRow[]): UserSummary {
  const [user] = rows
  if (user === undefined) throw new Error('a user without a row')
  const { user_id: id, user_name: name, username, primary_email_id, primary_phone_id } = user
  const oldestFirst = rows.length === 1 ? rows : rows.toSorted(byTime)
  return presentUserSummary({
    row: { id, name, username, primary_email_id, primary_phone_id },
    emailAddresses: oldestFirst.flatMap(({ email_id, email, verified_at }) =>
      email_id === null || email === null ? [] : { id: email_id, email, verified_at },
    ),
    phoneNumbers: phones.length === 0 ? phones : phones.filter((phone) => phone.user_id === id),
  })
}

/** Returns the summaries of users by id; ids that name nobody are left out. */
export async function findUserSummaries(
  db: Reader,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, UserSummary>> {
  if (ids.length === 0) return new Map()
  const rows = await selectUsersWithAddresses(db, tenantId, ids)
  const phones = await selectPhonesOfNameless(db, tenantId, rows)
  const summaries = new Map<string, UserSummary>()
  for (const [id, ofUser] of Map.groupBy(rows, (row): string => row.user_id)) {
    summaries.set(id, summaryOf(ofUser, phones))
  }
  return summaries
}

export interface ListedUser<Row> {
  readonly row: Row
  readonly user: UserSummary
}

/**
 * Reads the rows of a list together with the users whom they name, in one statement.
 * @param rows a SELECT of rows with `user_tenant_id`, which is the same in all of them, `user_id` and `created_at`, newest first.
 */
export async function selectWithUsers<Row extends { readonly created_at: string }>(
  db: Reader,
  userTenantId: TenantId,
  rows: Fragment,
): Promise<ListedUser<Row>[]> {
  const found = await selectWithUsersAndAddresses<Row>(db, userTenantId, rows)
  const phones = await selectPhonesOfNameless(db, userTenantId, found)
  const listed: ListedUser<Row>[] = []
  for (let start = 0, end = 0; start < found.length; start = end) {
    const row = found[start]
    if (row === undefined) break
    do end++
    while (found[end]?.created_at === row.created_at)
    listed.push({ row, user: summaryOf(found.slice(start, end), phones) })
  }
  return listed
}
