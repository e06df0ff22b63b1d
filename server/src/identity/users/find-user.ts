// What other features need of a user without the rest of the record. Whole records, with everything that is shown of a user, come from
// users.ts.
import type { Reader, Transaction } from '../../platform/db/database.ts'
import type { Fragment } from '../../platform/db/sql.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type FoundRole, findTenantRole } from '../../tenancy/roles/find-role.ts'
import {
  type EmailAddressRow,
  type PhoneNumberRow,
  type StandingRow,
  type UserRow,
  selectRoleId,
  selectEmailAddressesOf,
  selectPhoneNumbersOf,
  selectStanding,
  selectUser,
  selectUserByEmailKey,
  selectFoundUserForUpdate,
  selectUserForUpdate,
} from './user-records.ts'

export type { EmailAddressRow, PhoneNumberRow, StandingRow, UserRow }

export const findUserRow = (db: Reader, tenantId: TenantId, id: string): Promise<UserRow | undefined> =>
  selectUser(db, tenantId, id)

/** Returns as much of a user as tells whether the user may sign in. */
export const findStanding = (db: Reader, tenantId: TenantId, id: string): Promise<StandingRow | undefined> =>
  selectStanding(db, tenantId, id)

/** Returns the role of a user at the tenant, in one statement. */
export const findTenantRoleOfUser = (db: Reader, tenantId: TenantId, id: string): Promise<FoundRole | undefined> =>
  findTenantRole(db, tenantId, selectRoleId(tenantId, id))

/** @throws ApiError not_found */
export async function getUserRow(db: Reader, tenantId: TenantId, id: string): Promise<UserRow> {
  const row = await selectUser(db, tenantId, id)
  if (row === undefined) throw notFound()
  return row
}

/** Holds the user until the transaction ends, so that changes of one user and of what belongs to them happen one after the other. */
export const lockUser = (tx: Transaction, tenantId: TenantId, id: string): Promise<UserRow | undefined> =>
  selectUserForUpdate(tx, tenantId, id)

/**
 * Holds the user whose id a subselect finds.
 * @param id such as sql`(SELECT user_id …)`.
 */
export const lockFoundUser = (tx: Transaction, tenantId: TenantId, id: Fragment): Promise<UserRow | undefined> =>
  selectFoundUserForUpdate(tx, tenantId, id)

/** Finds the user who has an address, in one statement whether or not anybody has it. */
export const findUserByEmail = (
  db: Reader,
  tenantId: TenantId,
  emailKey: string,
): Promise<Pick<UserRow, 'id' | 'name'> | undefined> => selectUserByEmailKey(db, tenantId, emailKey)

/** Returns the addresses of a user, oldest first. */
export const emailAddressesOf = (db: Reader, tenantId: TenantId, userId: string): Promise<EmailAddressRow[]> =>
  selectEmailAddressesOf(db, tenantId, [userId])

/** Returns the addresses of several users. */
export const emailAddressesOfUsers = selectEmailAddressesOf

/** Returns the numbers of a user, oldest first. */
export const phoneNumbersOf = (db: Reader, tenantId: TenantId, userId: string): Promise<PhoneNumberRow[]> =>
  selectPhoneNumbersOf(db, tenantId, [userId])
