// Creates users and reads complete records of them.
import { decidedTransaction, hooksInUse } from '../../messaging/hooks/decisions.ts'
import { decideUser } from '../../messaging/hooks/new-user.ts'
import {
  ConstraintError,
  type Reader,
  type Transaction,
  type WriteContext,
  writeReturning,
} from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { invalid, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TimedReader, readRoleEnd, roleIdNow } from '../../platform/http/ends.ts'
import { type RoleId, type TenantId, newId } from '../../platform/ids.ts'
import { findRoleRow, findRoleRows } from '../../tenancy/roles/find-role.ts'
import { assertMeta } from '../../tenancy/tenants/attributes/values.ts'
import type { Deps } from '../deps.ts'
import { checkPassword } from '../passwords/check-password.ts'
import { findTenantRoleOfUser } from './find-user.ts'
import type { UserRecord, UserWithContacts } from './present.ts'
import * as queries from './user-records.ts'
import {
  type NewUser,
  type PreparedUser,
  insertStatements,
  newUserRows,
  recordOf,
  upgradeStatements,
} from './user-rows.ts'

/** Prepares, before the transaction, what takes time: the hash of the password. */
export async function prepareUser(deps: Deps, tenantId: TenantId, input: NewUser): Promise<PreparedUser> {
  const { db, clock, passwordPool, personal } = deps
  const { password, roleId } = input
  if (password !== undefined) await checkPassword(deps, tenantId, password)
  const role = roleId === undefined ? undefined : await findRoleRow(db, tenantId, null, roleId)
  if (roleId !== undefined && role === undefined) throw unknownRole()
  const roleEnd = readRoleEnd(clock, input.roleExpiresAt, null, role?.id ?? null)
  const hash = password === undefined ? undefined : await passwordPool.hash(tenantId, password)
  return {
    id: newId<'UserId'>(),
    salt: personal.newSalt(),
    password: hash === undefined ? undefined : { hash, kind: 'own' },
    role,
    roleEnd,
  }
}

export const unknownRole = () => invalid('/roleId', 'unknown_reference', 'is not a role of this tenant')

/** Returns every row of a new user, for one all-or-nothing write, and the user as they will then be. */
export function userStatements(
  deps: Deps,
  context: WriteContext,
  tenantId: TenantId,
  input: NewUser,
  prepared: PreparedUser,
  actor: Actor,
): { statements: Statement[]; record: UserRecord } {
  const rows = newUserRows(deps, tenantId, input, prepared, actor)
  return { statements: insertStatements(deps, context, tenantId, [rows]), record: recordOf(rows, prepared.role) }
}

/** Returns the same for an anonymous user who signs up and keeps its id. */
export function upgradedUser(
  deps: Deps,
  context: WriteContext,
  before: queries.UserRow,
  { input, prepared }: { readonly input: NewUser; readonly prepared: PreparedUser },
  actor: Actor,
): { statements: readonly Statement[]; record: UserRecord } {
  const rows = newUserRows(deps, before.tenant_id, input, prepared, actor)
  const { statements, row } = upgradeStatements(deps, context, before, rows)
  return { statements, record: recordOf({ ...rows, user: row }, prepared.role) }
}

/**
 * Creates a user at the tenant's own request: formats and uniqueness apply, the switches for self-service do not.
 * @throws ApiError email_taken, username_taken, phone_taken, hook_denied; validation_failed for a role of another tenant; not_found for a tenant that
 * does not exist.
 * @param also what else the transaction does that creates the user.
 */
export async function createUser(
  deps: Deps,
  tenantId: TenantId,
  input: NewUser,
  actor: Actor,
  also?: (tx: Transaction, user: UserRecord) => Promise<void>,
): Promise<UserRecord> {
  const tenant = await deps.tenants.byId(tenantId)
  if (tenant === undefined) throw notFound()
  assertMeta(tenant.attributes, input.publicMeta)
  const prepared = await prepareUser(deps, tenantId, input)
  try {
    if (also === undefined && (await hooksInUse(deps.db, tenant, 'user.before_create')).length === 0) {
      return await writeReturning(deps.db, (context) => {
        const { statements, record } = userStatements(deps, context, tenantId, input, prepared, actor)
        return { statements, returns: record }
      })
    }
    return await decidedTransaction(deps, tenantId, async (tx) => {
      const decided = await decideUser(tx, tenantId, 'management', { input, prepared })
      const { statements, record } = userStatements(deps, tx, tenantId, decided.input, decided.prepared, actor)
      for (const statement of statements) await tx.run(statement)
      await also?.(tx, record)
      return record
    })
  } catch (error) {
    // The role or the tenant was deleted meanwhile: the foreign keys decide.
    if (error instanceof ConstraintError && error.constraint === 'foreign_key') {
      throw prepared.role === undefined ? notFound() : unknownRole()
    }
    throw error
  }
}

const grouped = <Row extends { readonly user_id: string }>(rows: readonly Row[]) =>
  Map.groupBy(rows, (row): string => row.user_id)

/** Returns the contacts of users, in the order of the rows. */
async function readContacts(
  db: Reader,
  tenantId: TenantId,
  rows: readonly queries.UserRow[],
): Promise<UserWithContacts[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const [emails, phones] = await Promise.all([
    queries.selectEmailAddressesOf(db, tenantId, ids).then(grouped),
    queries.selectPhoneNumbersOf(db, tenantId, ids).then(grouped),
  ])
  return rows.map((row) => ({
    row,
    emailAddresses: emails.get(row.id) ?? [],
    phoneNumbers: phones.get(row.id) ?? [],
  }))
}

/** Returns users with their contacts and the roles that they have now, in the order of the rows. */
export async function withContacts(
  { db, clock }: TimedReader,
  tenantId: TenantId,
  rows: readonly queries.UserRow[],
): Promise<UserRecord[]> {
  if (rows.length === 0) return []
  const now = clock.now()
  const roleIds = rows.map((row) => roleIdNow(row, now))
  const [users, roleById] = await Promise.all([
    readContacts(db, tenantId, rows),
    findRoleRows(
      db,
      tenantId,
      null,
      roleIds.filter((id) => id !== null),
    ),
  ])
  return users.map((user, index) => ({ ...user, role: roleById.get(roleIds[index] as RoleId) }))
}

/** Returns the complete record of a user whose row is known. */
export async function recordOfRow(timed: TimedReader, row: queries.UserRow): Promise<UserRecord> {
  const [record] = await withContacts(timed, row.tenant_id, [row])
  if (record === undefined) throw new Error('a row without its record')
  return record
}

function inOrder<User extends UserWithContacts>(users: readonly User[], ids: readonly string[]): User[] {
  const byId = new Map<string, User>(users.map((user) => [user.row.id, user]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Returns complete records of users, in the order of the ids; ids that name nobody are left out. */
export async function findUsers(timed: TimedReader, tenantId: TenantId, ids: readonly string[]): Promise<UserRecord[]> {
  if (ids.length === 0) return []
  return inOrder(await withContacts(timed, tenantId, await queries.selectUsers(timed.db, tenantId, ids)), ids)
}

/** Returns the same without their roles. */
export async function findUsersWithContacts(
  db: Reader,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<UserWithContacts[]> {
  if (ids.length === 0) return []
  return inOrder(await readContacts(db, tenantId, await queries.selectUsers(db, tenantId, ids)), ids)
}

/** Returns the users who were created last, newest first. */
export const recentUsers = async (timed: TimedReader, tenantId: TenantId, count: number): Promise<UserRecord[]> =>
  withContacts(timed, tenantId, await queries.selectUsersBefore(timed.db, tenantId, undefined, count))

/** Returns the complete record of one user, all parts of which are asked for at the same moment. */
export async function findWholeUser(
  { db, clock }: TimedReader,
  tenantId: TenantId,
  id: string,
): Promise<UserRecord | undefined> {
  const [row, emailAddresses, phoneNumbers, role] = await Promise.all([
    queries.selectUser(db, tenantId, id),
    queries.selectEmailAddressesOf(db, tenantId, [id]),
    queries.selectPhoneNumbersOf(db, tenantId, [id]),
    findTenantRoleOfUser(db, tenantId, id),
  ])
  if (row === undefined) return undefined
  return { row, emailAddresses, phoneNumbers, role: roleIdNow(row, clock.now()) === null ? undefined : role }
}

export async function findUser(timed: TimedReader, tenantId: TenantId, id: string): Promise<UserRecord | undefined> {
  const [user] = await findUsers(timed, tenantId, [id])
  return user
}

export async function findUserWithContacts(db: Reader, tenantId: TenantId, id: string) {
  const [user] = await findUsersWithContacts(db, tenantId, [id])
  return user
}

/** Returns the users of a tenant who have these addresses, by the address's key. */
export async function findUsersByEmailKeys(db: Reader, tenantId: TenantId, emailKeys: readonly string[]) {
  if (emailKeys.length === 0) return new Map<string, UserWithContacts>()
  const owners = await queries.selectUserIdsByEmailKeys(db, tenantId, emailKeys)
  const users = await findUsersWithContacts(
    db,
    tenantId,
    owners.map((owner) => owner.user_id),
  )
  const byId = new Map(users.map((user) => [user.row.id, user]))
  return new Map(
    owners.flatMap(({ email_key, user_id }) => {
      const user = byId.get(user_id)
      return user === undefined ? [] : [[email_key, user] as const]
    }),
  )
}

/** @throws ApiError not_found */
export async function getUser(timed: TimedReader, tenantId: TenantId, id: string): Promise<UserRecord> {
  const user = await findUser(timed, tenantId, id)
  if (user === undefined) throw notFound()
  return user
}
