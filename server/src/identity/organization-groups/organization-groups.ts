// Groups inside an organization. Each gives its members a role there, in addition to their own.
import {
  type CreateOrganizationGroup,
  type EventDataByType,
  type Issue,
  type OrganizationGroup,
  type UpdateOrganizationGroup,
  foldCase,
} from '@bailiwick/contract'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type RoleId, type ScimGroupId, newId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { holdOrganization } from '../organizations/members.ts'
import { findGivenRole, missingRole, refuse } from '../organizations/membership.ts'
import type { GroupPlace } from './place.ts'
import * as queries from './queries.ts'

export const presentGroup = (row: queries.GroupRow): OrganizationGroup => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  description: row.description,
  roleId: row.role_id,
  scimGroupId: row.scim_group_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const described = ({ name, role_id: roleId, scim_group_id: scimGroupId }: queries.GroupRow) => ({
  name,
  roleId,
  scimGroupId,
})

type GroupEvent =
  | 'organization_group.created'
  | 'organization_group.updated'
  | 'organization_group.deleted'
  | 'organization_group.member_added'
  | 'organization_group.member_updated'
  | 'organization_group.member_removed'
  | 'organization_group.member_expired'

export const groupEvent = <Type extends GroupEvent>(
  { clock, personal }: Deps,
  { tenantId, actor }: Pick<GroupPlace, 'tenantId' | 'actor'>,
  type: Type,
  row: queries.GroupRow,
  data: EventDataByType[Type],
) => eventStatement(clock, personal, { tenantId, type, actor, subjectId: row.id, data })

interface References {
  readonly role_id: RoleId | null
  readonly scim_group_id: ScimGroupId | null
}

/** @throws ApiError validation_failed for a role of another tenant, or a group of another organization's directory; forbidden */
async function readReferences(
  db: Reader,
  place: GroupPlace,
  { roleId, scimGroupId }: UpdateOrganizationGroup,
  before: References,
): Promise<References> {
  const issues: Issue[] = []
  const role = await findGivenRole(db, place, roleId, issues)
  const isNamed = typeof scimGroupId === 'string'
  const scimGroup = isNamed
    ? await queries.selectScimGroup(db, place.tenantId, place.organizationId, scimGroupId)
    : undefined
  if (isNamed && scimGroup === undefined) {
    const message = 'is not a group of a directory of this organization'
    issues.push({ path: '/scimGroupId', code: 'unknown_reference', message })
  }
  refuse(issues)
  const after = {
    role_id: roleId === undefined ? before.role_id : (role?.row.id ?? null),
    scim_group_id: scimGroupId === undefined ? before.scim_group_id : (scimGroup?.id ?? null),
  }
  const isSame = after.role_id === before.role_id && after.scim_group_id === before.scim_group_id
  if (!isSame) for (const id of [before.role_id, after.role_id]) await place.assertMayGive(db, id)
  return after
}

/**
 * Returns a group, held until the transaction ends.
 * @throws ApiError not_found, forbidden
 */
export async function holdGroup(tx: Transaction, place: GroupPlace, id: string): Promise<queries.GroupRow> {
  await place.enter(tx)
  const row = await queries.selectGroupForUpdate(tx, place.tenantId, id)
  if (row === undefined || row.organization_id !== place.organizationId) throw notFound()
  return row
}

/** @throws ApiError not_found, forbidden */
export async function listOrganizationGroups({ db }: Deps, place: GroupPlace) {
  await place.enter(db)
  return (await queries.selectGroups(db, place.tenantId, place.organizationId)).map(presentGroup)
}

/** @throws ApiError not_found, forbidden */
export async function getOrganizationGroup({ db }: Deps, place: GroupPlace, id: string) {
  await place.enter(db)
  const row = await queries.selectGroup(db, place.tenantId, place.organizationId, id)
  if (row === undefined) throw notFound()
  return presentGroup(row)
}

const nothingYet: References = { role_id: null, scim_group_id: null }

/** @throws ApiError not_found, forbidden, validation_failed, group_exists, group_limit_reached */
export async function createOrganizationGroup(deps: Deps, place: GroupPlace, input: CreateOrganizationGroup) {
  const { db, clock } = deps
  const { tenantId, organizationId } = place
  const created = db.transaction(async (tx) => {
    await place.enter(tx)
    const organization = await holdOrganization(tx, tenantId, organizationId)
    const { length } = await queries.selectGroups(tx, tenantId, organizationId)
    if (length >= queries.groupsMax) throw new ApiError('group_limit_reached')
    const at = clock.next()
    const row: queries.GroupRow = {
      tenant_id: tenantId,
      id: newId<'OrganizationGroupId'>(),
      organization_id: organization.id,
      name: input.name,
      name_key: foldCase(input.name),
      description: input.description ?? null,
      ...(await readReferences(tx, place, input, nothingYet)),
      created_at: at,
      updated_at: at,
    }
    await tx.run(queries.insertGroup(row))
    await tx.run(groupEvent(deps, place, 'organization_group.created', row, { organizationId, ...described(row) }))
    return presentGroup(row)
  })
  return created.catch((error: unknown) => {
    throw missingRole(error)
  })
}

/** @throws ApiError not_found, forbidden, validation_failed, group_exists */
export async function updateOrganizationGroup(
  deps: Deps,
  place: GroupPlace,
  id: string,
  input: UpdateOrganizationGroup,
) {
  const updated = deps.db.transaction(async (tx) => {
    const before = await holdGroup(tx, place, id)
    const { name = before.name, description = before.description } = input
    const after: queries.GroupRow = {
      ...before,
      name,
      name_key: foldCase(name),
      description,
      ...(await readReferences(tx, place, input, before)),
      updated_at: deps.clock.now(),
    }
    await tx.run(queries.updateGroup(after))
    const data = { organizationId: place.organizationId, before: described(before), after: described(after) }
    await tx.run(groupEvent(deps, place, 'organization_group.updated', after, data))
    return presentGroup(after)
  })
  return updated.catch((error: unknown) => {
    throw missingRole(error)
  })
}

/** @throws ApiError not_found, forbidden */
export async function deleteOrganizationGroup(deps: Deps, place: GroupPlace, id: string) {
  return deps.db.transaction(async (tx) => {
    const row = await holdGroup(tx, place, id)
    await place.assertMayGive(tx, row.role_id)
    await tx.run(queries.deleteGroup(place.tenantId, row.id))
    const data = { organizationId: place.organizationId, before: described(row) }
    await tx.run(groupEvent(deps, place, 'organization_group.deleted', row, data))
    return presentGroup(row)
  })
}
