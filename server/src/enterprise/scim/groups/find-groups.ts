// Lists and searches of the groups of a directory.
import type { Reader } from '../../../platform/db/database.ts'
import { type Fragment, sql } from '../../../platform/db/sql.ts'
import type { ScimPlace } from '../place.ts'
import type { Condition } from '../protocol/filter.ts'
import type { ListRequest } from '../protocol/list.ts'
import { bad } from '../protocol/scim-error.ts'
import * as queries from '../queries.ts'
import { searchKey } from '../users/derived.ts'
import { type Found, page } from '../users/find-users.ts'

const toCondition =
  ({ tenantId }: ScimPlace) =>
  ({ attribute, sub, value }: Condition): Fragment => {
    const text = String(value)
    switch (attribute.key) {
      case 'displayName':
        return sql`display_name_key = ${searchKey(text)}`
      case 'externalId':
        return sql`external_id = ${text}`
      case 'id':
        return sql`id = ${text}`
      case 'members': {
        if (sub?.name !== 'value') throw bad('invalidFilter', 'Groups are found by the value of their members.')
        return sql`id IN (SELECT group_id FROM scim_group_members WHERE tenant_id = ${tenantId} AND member_id = ${text})`
      }
      default:
        throw bad('invalidFilter', `Groups cannot be found by ${attribute.name}.`)
    }
  }

/** @throws ScimError tooMany, invalidFilter */
export async function findScimGroups(
  db: Reader,
  place: ScimPlace,
  request: ListRequest,
): Promise<Found<queries.GroupRow>> {
  const { tenantId, connection } = place
  if (request.conditions.length > 0) {
    return page(request, toCondition(place), (conditions, limit) =>
      queries.selectGroupsWhere(db, tenantId, connection.id, conditions, limit),
    )
  }
  const { startIndex, count } = request
  const [directory, rows] = await Promise.all([
    queries.selectDirectory(db, tenantId, connection.id),
    count === 0 ? [] : queries.selectGroupsFrom(db, tenantId, connection.id, startIndex, count),
  ])
  return { rows: rows.filter((row) => row.place < startIndex + count), total: directory?.groups_total ?? 0 }
}
