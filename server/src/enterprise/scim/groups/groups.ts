// The groups of a directory. They have members, who are users of the same directory, and give roles only by the rules of the connection.
import type { Transaction } from '../../../platform/db/database.ts'
import { eventStatement } from '../../../platform/events/append.ts'
import { newId } from '../../../platform/ids.ts'
import type { Deps } from '../../deps.ts'
import { closePlace, groupPlaces, holdDirectory, takePlace } from '../directory.ts'
import type { ScimPlace } from '../place.ts'
import type { MemberChanges } from '../protocol/member-changes.ts'
import { ScimError, bad } from '../protocol/scim-error.ts'
import type { Attributes } from '../protocol/values.ts'
import * as queries from '../queries.ts'
import { type Expected, assertExpected } from '../users/change-user.ts'
import { searchKey } from '../users/derived.ts'
import { changeMembers, changedMembersMax, followGroups, readMemberIds } from './group-members.ts'

const groupsMax = 10_000

export const noGroup = (id: string) => new ScimError(404, `There is no group ${id.slice(0, 64)}.`)

const textAt = (attributes: Attributes, key: string) => {
  const value = attributes[key]
  return typeof value === 'string' ? value : null
}

const columns = (attributes: Attributes) => {
  const displayName = textAt(attributes, 'displayName') ?? ''
  return {
    display_name: displayName,
    display_name_key: searchKey(displayName),
    external_id: textAt(attributes, 'externalId'),
  }
}

export const attributesOfGroup = (row: queries.GroupRow): Attributes => ({
  displayName: row.display_name,
  ...(row.external_id === null ? {} : { externalId: row.external_id }),
})

const named = ({ connection }: ScimPlace, row: queries.GroupRow) => ({
  organizationId: connection.organization_id,
  connectionId: connection.id,
  displayName: row.display_name,
})

async function hold(tx: Transaction, place: ScimPlace, id: string, expected: Expected) {
  const directory = await holdDirectory(tx, place)
  const row = await queries.selectGroup(tx, place.tenantId, id)
  if (row?.connection_id !== place.connection.id) throw noGroup(id)
  assertExpected(expected, row)
  return { directory, row }
}

/** @throws ScimError 409 for more groups than a directory can have; 413, invalidValue */
export const createScimGroup = (
  deps: Deps,
  place: ScimPlace,
  attributes: Attributes,
  memberIds: readonly string[],
): Promise<queries.GroupRow> =>
  deps.db.transaction(async (tx) => {
    const { clock, personal } = deps
    const { tenantId, connection, actor } = place
    const directory = await holdDirectory(tx, place)
    if (directory.groups_total >= groupsMax) throw bad('tooMany', `A directory can have at most ${groupsMax} groups.`)
    const at = clock.next()
    const row: queries.GroupRow = {
      tenant_id: tenantId,
      id: newId<'ScimGroupId'>(),
      connection_id: connection.id,
      place: await takePlace(tx, groupPlaces, directory),
      ...columns(attributes),
      version: 1,
      created_at: at,
      updated_at: at,
    }
    await tx.run(queries.insertGroup(row))
    const changes = { removesAll: false, added: new Set(memberIds), removed: new Set<string>() }
    const { added } = await changeMembers(tx, place, row.id, changes)
    const data = { ...named(place, row), members: added.length }
    await tx.run(
      eventStatement(clock, personal, { tenantId, type: 'scim_group.created', actor, subjectId: row.id, data }),
    )
    return row
  })

/** What a request makes of a group. */
export interface GroupChange {
  readonly attributes: Attributes
  readonly members: MemberChanges
}

/**
 * Changes a group, and the roles that follow from who is in it.
 * @throws ScimError 404, 412, 413, invalidValue
 */
export const changeScimGroup = (
  deps: Deps,
  place: ScimPlace,
  id: string,
  expected: Expected,
  change: (before: Attributes) => GroupChange,
): Promise<queries.GroupRow> =>
  deps.db.transaction(async (tx) => {
    const { clock, personal } = deps
    const { tenantId, actor } = place
    const { directory, row } = await hold(tx, place, id, expected)
    const { attributes, members } = change(attributesOfGroup(row))
    const { added, removed } = await changeMembers(tx, place, row.id, members)
    const set = columns(attributes)
    const isSame = set.display_name === row.display_name && set.external_id === row.external_id
    if (isSame && added.length === 0 && removed.length === 0) return row
    const after = { ...row, ...set, version: row.version + 1, updated_at: clock.now() }
    await tx.run(queries.updateGroup(after))
    await followGroups(deps, tx, place, directory, row.id, [...added, ...removed])
    const data = { ...named(place, after), added: added.length, removed: removed.length }
    await tx.run(
      eventStatement(clock, personal, { tenantId, type: 'scim_group.updated', actor, subjectId: row.id, data }),
    )
    return after
  })

/**
 * Removes a group. Its members lose the role that it gave.
 * @throws ScimError 404, 412; 413 for a group with more members than one request can change
 */
export const deleteScimGroup = (deps: Deps, place: ScimPlace, id: string, expected: Expected): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const { clock, personal } = deps
    const { tenantId, actor } = place
    const { directory, row } = await hold(tx, place, id, expected)
    const ids: string[] = []
    for await (const batch of readMemberIds(tx, place, row.id)) {
      ids.push(...batch)
      if (ids.length > changedMembersMax) {
        throw new ScimError(413, `Remove members first: at most ${changedMembersMax} change in one request.`)
      }
    }
    await tx.run(queries.deleteGroup(tenantId, row.id))
    await closePlace(tx, groupPlaces, directory, row.place)
    await followGroups(deps, tx, place, directory, row.id, ids)
    const data = named(place, row)
    await tx.run(
      eventStatement(clock, personal, { tenantId, type: 'scim_group.deleted', actor, subjectId: row.id, data }),
    )
  })
