import { type CreateRole, type UpdateRole, foldCase } from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addToCounters, readCounters } from '../../platform/db/counters.ts'
import { ConstraintError, type Reader, writeReturning } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type RecordBasis, assertUnchanged } from '../../platform/http/change-basis.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectCountedPage } from '../../platform/http/lists/page.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { assertHasSecondFactors } from '../tenants/second-factor-settings.ts'
import { getTenant } from '../tenants/tenants.ts'
import { withEffect } from './effective-roles.ts'
import { findRoleRow } from './find-role.ts'
import { type RoleRecord, presentRoleDetails } from './present.ts'
import * as queries from './queries.ts'
import { roleMembersCounter, roleUsersCounter } from './tables.ts'

export { roleMembersCounter, roleUsersCounter }

export async function withCounts(
  db: Reader,
  tenantId: TenantId,
  rows: readonly queries.RoleRow[],
): Promise<RoleRecord[]> {
  const [users, members] = await Promise.all([
    readCounters(
      db,
      tenantId,
      rows.map(({ id }) => roleUsersCounter(id)),
    ),
    readCounters(
      db,
      tenantId,
      rows.map(({ id }) => roleMembersCounter(id)),
    ),
  ])
  return rows.map((row) => ({
    row,
    users: users.get(roleUsersCounter(row.id)) ?? 0,
    members: members.get(roleMembersCounter(row.id)) ?? 0,
  }))
}

export const permissionsText = (permissions: readonly string[]) => toJson([...new Set(permissions)])

/**
 * Returns a role as organization members and invitations show it.
 * @param organizationId the organization whose own roles count too; null for the tenant's roles alone.
 */
export async function findRole(
  db: Reader,
  tenantId: TenantId,
  organizationId: string | null,
  id: string,
): Promise<RoleRecord | undefined> {
  const row = await findRoleRow(db, tenantId, organizationId, id)
  if (row === undefined) return undefined
  const [record] = await withCounts(db, tenantId, [row])
  return record
}

interface Holder {
  readonly organization_id: string
  readonly role_id: string | null
}

/** Returns the roles that memberships or invitations have, whatever their organizations; undefined for those that have none. */
export async function findRolesOfHolders(db: Reader, tenantId: TenantId, holders: readonly Holder[]) {
  const ids = [...new Set(holders.flatMap((holder) => holder.role_id ?? []))]
  const rows = ids.length === 0 ? [] : await queries.selectRoles(db, tenantId, ids)
  const records = await withCounts(db, tenantId, await withEffect(db, tenantId, rows))
  const byId = new Map<string | null, RoleRecord>(records.map((record) => [record.row.id, record]))
  return ({ organization_id: organizationId, role_id: roleId }: Holder): RoleRecord | undefined => {
    const record = byId.get(roleId)
    return record !== undefined && queries.isRoleFor(record.row, organizationId) ? record : undefined
  }
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listRoles(deps: Deps, tenantId: TenantId, query: PageQuery) {
  await getTenant(deps, tenantId)
  return readRoles(deps.db, tenantId, query)
}

/** Does the same for a tenant that is known to exist, also within a transaction. */
export async function readRoles(db: Reader, tenantId: TenantId, query: PageQuery) {
  const request = pageRequest(query)
  const list = { source: queries.roleSource(tenantId), tenantId, counter: 'roles' }
  const { page, total } = await selectCountedPage(db, list, request)
  const records = await withCounts(db, tenantId, page.rows)
  return pageEnvelope(page, records.map(presentRoleDetails), total, request.perPage)
}

/** @throws ApiError role_name_taken; not_found for a tenant that does not exist; validation_failed for a rule that nobody could follow. */
export async function createRole(deps: Deps, tenantId: TenantId, input: Omit<CreateRole, 'tenantId'>, actor: Actor) {
  const { auth } = await getTenant(deps, tenantId)
  if (input.requiresSecondFactor === true) assertHasSecondFactors(auth, 'requiresSecondFactor')
  const { db, clock, personal } = deps
  const id = newId<'RoleId'>()
  const row = await writeReturning(db, (context) => {
    const at = clock.next()
    const returns: queries.RoleRow = {
      tenant_id: tenantId,
      id,
      name: input.name,
      name_key: foldCase(input.name),
      description: input.description ?? null,
      permissions: permissionsText(input.permissions ?? []),
      assignable_by: input.assignableBy ?? 'covering_role',
      requires_second_factor: input.requiresSecondFactor === true ? 1 : 0,
      organization_id: null,
      created_at: at,
      updated_at: at,
    }
    const statements = [
      queries.insertRole(returns),
      addToCounters(context, tenantId, { roles: 1 }),
      eventStatement(clock, personal, {
        tenantId,
        type: 'role.created',
        actor,
        subjectId: id,
        data: describedRole(returns),
      }),
    ]
    return { statements, returns }
  })
  return presentRoleDetails({ row, users: 0, members: 0 })
}

/** @throws ApiError not_found */
export async function getRole({ db }: Deps, tenantId: TenantId, id: string) {
  const record = await findRole(db, tenantId, null, id)
  if (record === undefined) throw notFound()
  return presentRoleDetails(record)
}

export const flagOr = (isOn: boolean | undefined, otherwise: number) => (isOn === undefined ? otherwise : isOn ? 1 : 0)

export const describedRole = ({
  name,
  description,
  permissions,
  assignable_by,
  requires_second_factor,
}: queries.RoleRow) => ({
  name,
  description,
  permissions: fromJson(permissions),
  assignableBy: assignable_by,
  requiresSecondFactor: requires_second_factor === 1,
})

/** @throws ApiError not_found, role_name_taken */
export async function updateRole(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateRole,
  actor: Actor,
  basis: RecordBasis = {},
) {
  const { db, clock, personal } = deps
  if (input.requiresSecondFactor === true) {
    assertHasSecondFactors((await getTenant(deps, tenantId)).auth, 'requiresSecondFactor')
  }
  return db.transaction(async (tx) => {
    const before = await queries.selectRoleForUpdate(tx, tenantId, id)
    if (before === undefined || before.organization_id !== null) throw notFound()
    assertUnchanged(before, basis)
    const name = input.name ?? before.name
    const after: queries.RoleRow = {
      ...before,
      name,
      name_key: foldCase(name),
      description: input.description === undefined ? before.description : input.description,
      permissions: input.permissions === undefined ? before.permissions : permissionsText(input.permissions),
      assignable_by: input.assignableBy ?? before.assignable_by,
      requires_second_factor: flagOr(input.requiresSecondFactor, before.requires_second_factor),
      updated_at: clock.now(),
    }
    await tx.run(queries.updateRole(after))
    // What was derived from the users who hold it is dropped with the tenant's entry.
    await invalidateTenant(tx, deps.tenants, tenantId)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'role.updated',
        actor,
        subjectId: id,
        data: { before: describedRole(before), after: describedRole(after) },
      }),
    )
    const [record] = await withCounts(tx, tenantId, [after])
    if (record === undefined) throw notFound()
    return presentRoleDetails(record)
  })
}

/**
 * Deletes a role that nobody holds.
 * @throws ApiError not_found, role_in_use
 */
export async function deleteRole(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, clock, personal } = deps
  try {
    return await db.transaction(async (tx) => {
      const row = await queries.selectRoleForUpdate(tx, tenantId, id)
      if (row === undefined || row.organization_id !== null) throw notFound()
      // The foreign keys refuse this while anybody holds the role, also if it is given to somebody at this moment.
      await tx.run(queries.deleteRole(tenantId, id))
      await tx.run(addToCounters(tx, tenantId, { roles: -1 }))
      await tx.run(
        eventStatement(clock, personal, {
          tenantId,
          type: 'role.deleted',
          actor,
          subjectId: id,
          data: { before: describedRole(row) },
        }),
      )
      return presentRoleDetails({ row, users: 0, members: 0 })
    })
  } catch (error) {
    if (error instanceof ConstraintError && error.constraint === 'foreign_key') {
      throw new ApiError('role_in_use', { cause: error })
    }
    throw error
  }
}
