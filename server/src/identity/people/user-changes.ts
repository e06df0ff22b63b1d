// Changes of users: their record, their status, their password.
import { type Attribute, type UpdateUser, canonicalLocale, canonicalUsername, usernameKey } from '@bailiwick/contract'
import { pictureAddress, removePicture } from '../../media/uploads/pictures.ts'
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import { ConstraintError, type Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { invalid, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { isPast, readRoleEnd, roleIdNow } from '../../platform/http/ends.ts'
import type { RoleId, TenantId, UserId } from '../../platform/ids.ts'
import { fromJson, metaTextOr, toJson } from '../../platform/json-text.ts'
import { findRoleRow } from '../../tenancy/roles/find-role.ts'
import { type AttributeValues, assertMeta, valuesIn, withOwnValues } from '../../tenancy/tenants/attributes/values.ts'
import { atEachClock } from '../../tenancy/test-mode/each-clock.ts'
import { removeAuthenticatorsOf } from '../authenticators/remove-all.ts'
import type { Deps } from '../deps.ts'
import { endCodesOf } from '../one-time-codes/one-time-codes.ts'
import { checkPassword } from '../passwords/check-password.ts'
import { rememberPassword } from '../passwords/password-history.ts'
import { demandAnother, setPassword } from '../passwords/passwords.ts'
import { nameKeys } from '../search/search-keys.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import type { UserRecord } from '../users/present.ts'
import { addCounts, countsOf } from '../users/user-counters.ts'
import * as queries from '../users/user-records.ts'
import { renewTerms } from '../users/user-terms.ts'
import { unknownRole, withContacts } from '../users/users.ts'
import { unlock } from './unlock.ts'

const personalColumns = ['name', 'username', 'image_uri', 'first_name', 'last_name', 'timezone', 'locale'] as const
/** By which a user is found. */
const searchedColumns = ['name', 'username', 'first_name', 'last_name'] as const
/** Free JSON of the tenant, which may contain secrets: events say that it changed, but not its content. */
const metaColumns = ['public_meta', 'private_meta'] as const
const roleColumns = ['role_id', 'role_expires_at'] as const
const fieldNames = {
  name: 'name',
  username: 'username',
  image_uri: 'imageUri',
  first_name: 'firstName',
  last_name: 'lastName',
  timezone: 'timezone',
  locale: 'locale',
  role_id: 'roleId',
  role_expires_at: 'roleExpiresAt',
  public_meta: 'publicMeta',
  private_meta: 'privateMeta',
} as const

function statusEvent(before: queries.UserRow, after: queries.UserRow) {
  if (after.status === 'suspended') return 'user.suspended'
  if (after.status === 'inactive') return 'user.deactivated'
  return before.status === 'suspended' ? 'user.unsuspended' : 'user.activated'
}

function changedFields(before: queries.UserRow, after: queries.UserRow) {
  const columns = [...personalColumns, ...metaColumns, ...roleColumns] as const
  return columns.filter((column) => before[column] !== after[column])
}

const describedRole = ({ role_id: roleId, role_expires_at: roleExpiresAt }: queries.UserRow) => ({
  roleId,
  roleExpiresAt,
})

/** Writes what differs, with its counters and events. Writes nothing if nothing differs. */
async function write(deps: Deps, tx: Transaction, before: queries.UserRow, after: queries.UserRow, actor: Actor) {
  const { clock, personal } = deps
  const { tenant_id: tenantId, id } = before
  const changed = changedFields(before, after)
  const isStatusChanged = before.status !== after.status
  // A picture without an address remains if a node of the previous version, which knows no pictures, has unset the address.
  const isPictureChanged = before.picture_id !== after.picture_id
  if (changed.length === 0 && !isStatusChanged && !isPictureChanged) return before
  const username = after.username === null ? null : usernameKey(after.username)
  const row = { ...after, ...nameKeys(after.name), username_key: username, updated_at: clock.now() }
  await invalidateUser(tx, deps.sessions, tenantId, id)
  await tx.run(queries.updateUser(row))
  if (searchedColumns.some((column) => changed.includes(column))) await renewTerms(tx, tenantId, before.id)
  if (before.picture_id !== null && isPictureChanged) {
    await removePicture(deps, tx, tenantId, before.picture_id, actor)
  }
  const counts = addCounts(countsOf(before, -1), countsOf(row, 1))
  if (counts !== undefined) await tx.run(addToCounters(tx, tenantId, counts))
  if (changed.length > 0) {
    const ofPerson = personalColumns.filter((column) => changed.includes(column))
    const valuesOf = (of: queries.UserRow) => Object.fromEntries(ofPerson.map((name) => [fieldNames[name], of[name]]))
    const roles = roleColumns.some((column) => changed.includes(column))
      ? { before: describedRole(before), after: describedRole(row) }
      : {}
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'user.updated',
        actor,
        subjectId: id,
        data: { changed: changed.map((column) => fieldNames[column]), ...roles },
        ...(ofPerson.length === 0
          ? {}
          : { personal: { salt: row.personal_salt, data: { before: valuesOf(before), after: valuesOf(row) } } }),
      }),
    )
  }
  if (isStatusChanged) {
    if (row.status === 'active') await unlock(tx, row)
    else await endSessionsOf(deps, tx, tenantId, id, actor)
    const data = { before: { status: before.status }, after: { status: row.status } }
    await tx.run(
      eventStatement(clock, personal, { tenantId, type: statusEvent(before, row), actor, subjectId: id, data }),
    )
  }
  return row
}

const nobody: Actor = { type: 'system', id: null, ip: null, ua: null }

/** Removes a role that has ended, unless it was prolonged meanwhile. */
const endRole = (deps: Deps, tenantId: TenantId, id: UserId) =>
  deps.db.transaction(async (tx) => {
    const { clock, personal, sessions } = deps
    const before = await queries.selectUserForUpdate(tx, tenantId, id)
    if (before === undefined || !isPast(before.role_expires_at, clock.now())) return
    const row = { ...before, role_id: null, role_expires_at: null, updated_at: clock.now() }
    await invalidateUser(tx, sessions, tenantId, id)
    await tx.run(queries.updateUser(row))
    if (before.role_id === null) return
    await tx.run(addToCounters(tx, tenantId, addCounts(countsOf(before, -1), countsOf(row, 1)) ?? {}))
    const data = { roleId: before.role_id }
    const event = { tenantId, type: 'user.role_expired', actor: nobody, subjectId: id, data } as const
    await tx.run(eventStatement(clock, personal, event))
  })

const endedBatchSize = 200

/** Does one bounded piece of work; returns whether there is more. */
export const endExpiredRoles = (deps: Deps): Promise<boolean> =>
  atEachClock(deps, async (tenant) => {
    const rows = await queries.selectEndedRoles(deps.db, tenant, deps.clock.now(), endedBatchSize)
    for (const { tenant_id: tenantId, id } of rows) await endRole(deps, tenantId, id)
    return rows.length >= endedBatchSize
  })

type ChangeOf = (tx: Transaction, before: queries.UserRow) => Promise<queries.UserRow> | queries.UserRow

/**
 * Runs one change of a user, who is held until the transaction ends.
 * @throws ApiError not_found
 */
export async function changeWithin(
  deps: Deps,
  tx: Transaction,
  tenantId: TenantId,
  id: string,
  actor: Actor,
  changeOf: ChangeOf,
): Promise<UserRecord> {
  const before = await queries.selectUserForUpdate(tx, tenantId, id)
  if (before === undefined) throw notFound()
  const row = await write(deps, tx, before, await changeOf(tx, before), actor)
  const [record] = await withContacts({ ...deps, db: tx }, tenantId, [row])
  if (record === undefined) throw notFound()
  return record
}

const change = (deps: Deps, tenantId: TenantId, id: string, actor: Actor, changeOf: ChangeOf): Promise<UserRecord> =>
  deps.db.transaction((tx) => changeWithin(deps, tx, tenantId, id, actor, changeOf))

async function findRoleId(tx: Transaction, tenantId: TenantId, roleId: string | null): Promise<RoleId | null> {
  if (roleId === null) return null
  const role = await findRoleRow(tx, tenantId, null, roleId)
  if (role === undefined) throw unknownRole()
  return role.id
}

/** Returns the role that the input names, and when it ends. What was said of one role does not count for the next. */
async function roleAfter({ clock }: Deps, tx: Transaction, before: queries.UserRow, input: UpdateUser) {
  const { role_id, role_expires_at } = before
  // One that has ended stays until it is removed with its own event.
  if (input.roleId === undefined && input.roleExpiresAt === undefined) return { role_id, role_expires_at }
  const present = roleIdNow(before, clock.now())
  const roleId = input.roleId === undefined ? present : await findRoleId(tx, before.tenant_id, input.roleId)
  const end = roleId === present ? role_expires_at : null
  return { role_id: roleId, role_expires_at: readRoleEnd(clock, input.roleExpiresAt, end, roleId) }
}

/** A check that a caller makes on a user, who is held, before the change is made. */
export type UserCheck = (tx: Transaction, before: queries.UserRow) => Promise<void>

/** Returns the new value of each of these that the input names. */
const changedDetails = (before: queries.UserRow, { firstName, lastName, timezone, locale }: UpdateUser) => ({
  first_name: firstName === undefined ? before.first_name : firstName,
  last_name: lastName === undefined ? before.last_name : lastName,
  timezone: timezone === undefined ? before.timezone : timezone,
  locale: locale === undefined ? before.locale : locale === null ? null : canonicalLocale(locale),
})

/** Returns the metadata that everybody may see, with what an administrator has set or the user has written. */
function publicMetaAfter(attributes: readonly Attribute[], before: queries.UserRow, input: UserInput) {
  const present = fromJson(before.public_meta)
  assertMeta(attributes, input.publicMeta, present)
  return input.attributes === undefined
    ? metaTextOr(input.publicMeta, before.public_meta)
    : toJson(withOwnValues(attributes, valuesIn(present), input.attributes))
}

/** @param attributes what the user has written. */
type UserInput = UpdateUser & { readonly attributes?: AttributeValues }

/**
 * Changes what the input names; null unsets a property.
 * @throws ApiError not_found, username_taken; validation_failed for a role of another tenant, or a value that breaks the type of its attribute.
 */
export async function updateUser(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UserInput,
  actor: Actor,
  check?: UserCheck,
) {
  const { name, username, imageUri, status } = input
  const { attributes = [] } = (await deps.tenants.byId(tenantId)) ?? {}
  try {
    return await change(deps, tenantId, id, actor, async (tx, before) => {
      await check?.(tx, before)
      return {
        ...before,
        name: name === undefined ? before.name : name,
        username: username === undefined ? before.username : username === null ? null : canonicalUsername(username),
        ...(imageUri === undefined || imageUri === before.image_uri ? {} : { image_uri: imageUri, picture_id: null }),
        ...changedDetails(before, input),
        ...(await roleAfter(deps, tx, before, input)),
        status: status ?? before.status,
        public_meta: publicMetaAfter(attributes, before, input),
        private_meta: metaTextOr(input.privateMeta, before.private_meta),
      }
    })
  } catch (error) {
    // The role was deleted between the check and the write.
    if (error instanceof ConstraintError && error.constraint === 'foreign_key') throw unknownRole()
    throw error
  }
}

/**
 * Sets a file, which the transaction has made or holds, as the user's picture, or removes the picture. The previous picture's file is
 * removed.
 * @throws ApiError not_found
 */
export const setUserPicture = (
  deps: Deps,
  tx: Transaction,
  tenantId: TenantId,
  id: string,
  fileId: string | null,
  actor: Actor,
): Promise<UserRecord> =>
  changeWithin(deps, tx, tenantId, id, actor, (_tx, before) => ({
    ...before,
    image_uri: fileId === null ? null : pictureAddress(deps.config, tenantId, fileId),
    picture_id: fileId,
  }))

/** @throws ApiError not_found */
export const suspendUser = (deps: Deps, tenantId: TenantId, id: string, actor: Actor) =>
  change(deps, tenantId, id, actor, (_tx, before) => ({ ...before, status: 'suspended' }))

/**
 * Makes a suspended user active; any other user stays unchanged.
 * @throws ApiError not_found
 */
export const unsuspendUser = (deps: Deps, tenantId: TenantId, id: string, actor: Actor) =>
  change(deps, tenantId, id, actor, (_tx, before) =>
    before.status === 'suspended' ? { ...before, status: 'active' } : before,
  )

/**
 * Forgets guesses at the user's account and the count of messages sent to it, so that they do not hinder the next sign-in.
 * @throws ApiError not_found
 */
export const unlockUser = (deps: Deps, tenantId: TenantId, id: string, actor: Actor) =>
  change(deps, tenantId, id, actor, async (tx, before) => {
    if (await unlock(tx, before)) {
      await tx.run(
        eventStatement(deps.clock, deps.personal, { tenantId, type: 'user.unlocked', actor, subjectId: id, data: {} }),
      )
    }
    return before
  })

type InTransaction = (tx: Transaction, user: queries.UserRow) => Promise<unknown>

async function replacePassword(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  { password, actor, also }: { readonly password: string; readonly actor: Actor; readonly also?: InTransaction },
) {
  const { clock, personal, passwordPool } = deps
  await checkPassword(deps, tenantId, password)
  const hash = await passwordPool.hash(tenantId, password)
  const tenant = await deps.tenants.byId(tenantId)
  return change(deps, tenantId, id, actor, async (tx, before) => {
    if (tenant !== undefined) await rememberPassword(tx, tenant.auth, { tenantId, userId: before.id })
    await tx.run(setPassword(tenantId, before.id, { hash, at: clock.now(), mustChange: true, staysUnproven: true }))
    await also?.(tx, before)
    await endSessionsOf(deps, tx, tenantId, before.id, actor)
    await tx.run(endCodesOf(tenantId, before.id))
    await unlock(tx, before)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'user.password_changed',
        actor,
        subjectId: id,
        data: { mustChange: true },
      }),
    )
    return before
  })
}

/**
 * Has the user choose another password at the next sign-in: after the present one, or after one that the caller has chosen.
 * @throws ApiError not_found; validation_failed for one that the tenant's rules refuse, where callers choose none, and for a user who has none
 * to replace, and if nothing is asked for.
 */
export async function changeUserPassword(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  { password, changeRequired = false }: { readonly password?: string; readonly changeRequired?: boolean },
  actor: Actor,
) {
  if (password === undefined) {
    if (!changeRequired) throw invalid('/password', 'required', 'is required, unless changeRequired is true')
    return demandPassword(deps, tenantId, id, actor)
  }
  const tenant = await deps.tenants.byId(tenantId)
  if (tenant?.auth.administratorsChoosePasswords === false)
    throw invalid('/password', 'not_allowed', 'cannot be chosen for users of this tenant; send changeRequired instead')
  return replacePassword(deps, tenantId, id, { password, actor })
}

const demandPassword = (deps: Deps, tenantId: TenantId, id: string, actor: Actor) =>
  change(deps, tenantId, id, actor, async (tx, before) => {
    const { clock, personal } = deps
    if ((await tx.run(demandAnother(tenantId, before.id, clock.now()))) === 0)
      throw invalid('/password', 'required', 'is required for a user who has no password')
    await endSessionsOf(deps, tx, tenantId, before.id, actor)
    const event = { tenantId, type: 'user.password_change_required', actor, subjectId: id, data: {} } as const
    await tx.run(eventStatement(clock, personal, event))
    return before
  })

/**
 * Does the same, and removes all authenticators and recovery codes, for a user who has lost them.
 * @throws ApiError not_found; validation_failed for a password that the tenant's rules refuse.
 */
export const resetAccess = (deps: Deps, tenantId: TenantId, id: string, password: string, actor: Actor) =>
  replacePassword(deps, tenantId, id, {
    password,
    actor,
    also: (tx, user) => removeAuthenticatorsOf(deps, tx, user, actor),
  })
