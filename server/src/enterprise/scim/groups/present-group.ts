import type { Reader } from '../../../platform/db/database.ts'
import type { ScimPlace } from '../place.ts'
import { groupType } from '../protocol/attributes.ts'
import type { Json } from '../protocol/json.ts'
import type { Wanted } from '../protocol/list.ts'
import { isWanted, presentResource } from '../protocol/present.ts'
import type { GroupRow } from '../queries.ts'
import { etag } from '../users/present-user.ts'
import { readMemberIds } from './group-members.ts'

/** A group with more is shown without its members: a list that is cut off would look like one from which somebody was removed. */
const membersShownMax = 10_000

async function shownMembers(db: Reader, place: ScimPlace, id: string): Promise<readonly Json[] | undefined> {
  const members: Json[] = []
  for await (const ids of readMemberIds(db, place, id)) {
    for (const value of ids) members.push({ value, $ref: `${place.base}/Users/${value}`, type: 'User' })
    if (members.length > membersShownMax) return undefined
  }
  return members
}

export async function presentGroup(db: Reader, place: ScimPlace, row: GroupRow, wanted: Wanted): Promise<Json> {
  const asks = isWanted(wanted, 'members', groupType.urn)
  const members = asks ? await shownMembers(db, place, row.id) : undefined
  return presentResource(
    groupType,
    {
      id: row.id,
      attributes: {
        displayName: row.display_name,
        ...(row.external_id === null ? {} : { externalId: row.external_id }),
      },
      own: members === undefined ? {} : { members },
      location: `${place.base}/Groups/${row.id}`,
      version: etag(row),
      created: row.created_at,
      lastModified: row.updated_at,
    },
    wanted,
  )
}
