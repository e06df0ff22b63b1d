// Roles of an organization's own. The tenant says which permissions they may give; a member puts in only what the member has.
import {
  type CreateOrganizationRole,
  type EventDataByType,
  type Issue,
  type OrganizationRole,
  type TenantAuthSettings,
  type UpdateOrganizationRole,
  foldCase,
} from '@bailiwick/contract'
import { ConstraintError, type Reader, type Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { currentSettings } from '../../tenancy/auth-configuration/read-settings.ts'
import { grantableNow } from '../../tenancy/roles/effective-roles.ts'
import { type RoleRow, findRoleByName } from '../../tenancy/roles/find-role.ts'
import * as ownRoles from '../../tenancy/roles/own-roles.ts'
import { describedRole, flagOr, permissionsText, withCounts } from '../../tenancy/roles/roles.ts'
import { assertHasSecondFactors } from '../../tenancy/tenants/second-factor-settings.ts'
import type { Deps } from '../deps.ts'
import { holdOrganization } from '../organizations/members.ts'
import { refuse } from '../organizations/membership.ts'
import type { RoleMaker, RolePlace } from './place.ts'

async function present(db: Reader, { tenantId, organizationId }: RolePlace, rows: readonly RoleRow[]) {
  const [records, grantable] = await Promise.all([withCounts(db, tenantId, rows), grantableNow(db, tenantId)])
  return records.map(({ row, members }): OrganizationRole => {
    const permissions = fromJson(row.permissions)
    return {
      id: row.id,
      organizationId,
      name: row.name,
      description: row.description,
      permissions,
      withheldPermissions: permissions.filter((permission) => !grantable.has(permission)),
      assignableBy: row.assignable_by,
      requiresSecondFactor: row.requires_second_factor === 1,
      _count: { members },
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  })
}

async function presentOne(db: Reader, place: RolePlace, row: RoleRow): Promise<OrganizationRole> {
  const [role] = await present(db, place, [row])
  if (role === undefined) throw notFound()
  return role
}

type RoleEvent = 'organization_role.created' | 'organization_role.updated' | 'organization_role.deleted'

const roleEvent = <Type extends RoleEvent>(
  { clock, personal }: Deps,
  { tenantId, actor }: RolePlace,
  type: Type,
  row: RoleRow,
  data: EventDataByType[Type],
) => eventStatement(clock, personal, { tenantId, type, actor, subjectId: row.id, data })

/** @throws ApiError forbidden while the tenant has roles of organizations off. */
export function assertRolesEnabled({ organizationRolesEnabled: isEnabled }: TenantAuthSettings) {
  const detail = 'This tenant does not allow organizations to have roles of their own.'
  if (!isEnabled) throw new ApiError('forbidden', { detail })
}

/** @throws ApiError forbidden while the tenant has roles of organizations off. */
async function readSettings(tx: Transaction, { tenantId }: RolePlace): Promise<TenantAuthSettings> {
  const auth = await currentSettings(tx, tenantId)
  if (auth === undefined) throw notFound()
  assertRolesEnabled(auth)
  return auth
}

/**
 * Refuses a role, as it was before, that gives more than the maker has or that the tenant has kept for itself.
 * @throws ApiError forbidden
 */
function assertMayChange({ permissions }: RoleMaker, row: RoleRow) {
  if (permissions === undefined) return
  if (row.assignable_by === 'tenant')
    throw new ApiError('forbidden', { detail: 'Members of an organization cannot change this role.' })
  if (fromJson(row.permissions).every((permission) => permissions.has(permission))) return
  throw new ApiError('forbidden', { detail: 'This role has permissions that your own role does not have.' })
}

/**
 * Refuses what the tenant does not let roles of organizations give, and what the maker does not have. What a role has already may stay.
 * @throws ApiError validation_failed, forbidden
 */
function assertMayGrant(
  { organizationRolePermissions: grantable }: TenantAuthSettings,
  maker: RoleMaker,
  permissions: readonly string[],
  before: readonly string[],
) {
  const message = 'is not a permission that the tenant lets roles of organizations give'
  const known = new Set([...grantable, ...before])
  const isUnknown = (permission: string, n: number): Issue[] =>
    known.has(permission) ? [] : [{ path: `/permissions/${n}`, code: 'not_allowed', message }]
  refuse(permissions.flatMap(isUnknown))
  const beyond = permissions.find((permission) => maker.permissions?.has(permission) === false)
  if (beyond === undefined) return
  throw new ApiError('forbidden', { detail: `A role that you make cannot give ${beyond}, which you do not have.` })
}

/**
 * Apps know the roles of the tenant by their names, so no organization takes one of these for its own.
 * @throws ApiError role_name_taken
 */
async function assertNameIsFree(tx: Transaction, { tenantId }: RolePlace, nameKey: string) {
  if ((await findRoleByName(tx, tenantId, nameKey)) !== undefined)
    throw new ApiError('role_name_taken', { detail: 'A role of the tenant has this name.' })
}

/** Returns a role of the organization's own, held until the transaction ends. */
async function holdRole(tx: Transaction, { tenantId, organizationId }: RolePlace, id: string): Promise<RoleRow> {
  const row = await ownRoles.lockOwnRole(tx, tenantId, id)
  if (row === undefined || row.organization_id !== organizationId) throw notFound()
  return row
}

/** @throws ApiError not_found, forbidden */
export async function listOrganizationRoles({ db }: Deps, place: RolePlace) {
  await place.enter(db)
  return present(db, place, await ownRoles.selectOwnRoles(db, place.tenantId, place.organizationId))
}

/**
 * Returns the roles, and the permissions that the one who asks can put into one.
 * @throws ApiError not_found, forbidden
 */
export async function listWithPermissions({ db }: Deps, place: RolePlace, auth: TenantAuthSettings) {
  const { permissions } = await place.enter(db)
  const rows = await ownRoles.selectOwnRoles(db, place.tenantId, place.organizationId)
  return {
    roles: await present(db, place, rows),
    permissions: auth.organizationRolePermissions.filter((permission) => permissions?.has(permission) !== false),
  }
}

/** @throws ApiError not_found, forbidden */
export async function getOrganizationRole({ db }: Deps, place: RolePlace, id: string) {
  await place.enter(db)
  const rows = await ownRoles.selectOwnRoles(db, place.tenantId, place.organizationId)
  const row = rows.find((each) => each.id === id)
  if (row === undefined) throw notFound()
  return presentOne(db, place, row)
}

/** @throws ApiError not_found, forbidden, validation_failed, role_name_taken, role_limit_reached */
export async function createOrganizationRole(deps: Deps, place: RolePlace, input: CreateOrganizationRole) {
  const { db, clock } = deps
  const { tenantId, organizationId } = place
  const { name, description = null, permissions = [], assignableBy = 'covering_role', requiresSecondFactor } = input
  return db.transaction(async (tx) => {
    const maker = await place.enter(tx)
    const organization = await holdOrganization(tx, tenantId, organizationId)
    const auth = await readSettings(tx, place)
    if (requiresSecondFactor === true) assertHasSecondFactors(auth, 'requiresSecondFactor')
    assertMayGrant(auth, maker, permissions, [])
    const nameKey = foldCase(name)
    await assertNameIsFree(tx, place, nameKey)
    const { length } = await ownRoles.selectOwnRoles(tx, tenantId, organizationId)
    if (length >= auth.organizationRoleLimit) throw new ApiError('role_limit_reached')
    const at = clock.next()
    const row: RoleRow = {
      tenant_id: tenantId,
      id: newId<'RoleId'>(),
      name,
      name_key: nameKey,
      description,
      permissions: permissionsText(permissions),
      assignable_by: assignableBy,
      requires_second_factor: requiresSecondFactor === true || maker.needsSecondFactor ? 1 : 0,
      organization_id: organization.id,
      created_at: at,
      updated_at: at,
    }
    await tx.run(ownRoles.insertOwnRole(row))
    const data = { organizationId, ...describedRole(row) }
    await tx.run(roleEvent(deps, place, 'organization_role.created', row, data))
    return presentOne(tx, place, row)
  })
}

/** @throws ApiError not_found, forbidden, validation_failed, role_name_taken */
export async function updateOrganizationRole(
  deps: Deps,
  place: RolePlace,
  id: string,
  input: UpdateOrganizationRole,
): Promise<OrganizationRole> {
  return deps.db.transaction(async (tx) => {
    const maker = await place.enter(tx)
    const before = await holdRole(tx, place, id)
    const auth = await readSettings(tx, place)
    if (input.requiresSecondFactor === true) assertHasSecondFactors(auth, 'requiresSecondFactor')
    assertMayChange(maker, before)
    const former = fromJson(before.permissions)
    const { name = before.name, description = before.description, permissions = former } = input
    assertMayGrant(auth, maker, permissions, former)
    const nameKey = foldCase(name)
    if (nameKey !== before.name_key) await assertNameIsFree(tx, place, nameKey)
    const hasMore = permissions.some((permission) => !former.includes(permission))
    const needsSecondFactor = hasMore && maker.needsSecondFactor ? 1 : before.requires_second_factor
    const after: RoleRow = {
      ...before,
      name,
      name_key: nameKey,
      description,
      permissions: permissionsText(permissions),
      assignable_by: input.assignableBy ?? before.assignable_by,
      requires_second_factor: flagOr(input.requiresSecondFactor, needsSecondFactor),
      updated_at: deps.clock.now(),
    }
    await tx.run(ownRoles.updateOwnRole(after))
    const data = {
      organizationId: place.organizationId,
      before: describedRole(before),
      after: describedRole(after),
    }
    await tx.run(roleEvent(deps, place, 'organization_role.updated', after, data))
    return presentOne(tx, place, after)
  })
}

/**
 * Deletes a role that nobody has.
 * @throws ApiError not_found, forbidden, role_in_use
 */
export async function deleteOrganizationRole(deps: Deps, place: RolePlace, id: string) {
  const { tenantId, organizationId } = place
  const deleted = deps.db.transaction(async (tx) => {
    const maker = await place.enter(tx)
    const row = await holdRole(tx, place, id)
    assertMayChange(maker, row)
    // The foreign keys refuse this while a member, an invitation or a group has the role.
    await tx.run(ownRoles.deleteOwnRole(tenantId, id))
    const data = { organizationId, before: describedRole(row) }
    await tx.run(roleEvent(deps, place, 'organization_role.deleted', row, data))
    return presentOne(tx, place, row)
  })
  return deleted.catch((error: unknown) => {
    const isInUse = error instanceof ConstraintError && error.constraint === 'foreign_key'
    throw isInUse ? new ApiError('role_in_use', { cause: error }) : error
  })
}
