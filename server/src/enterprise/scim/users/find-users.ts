// Lists and searches of the users that a directory has provisioned.
import { emailKey, isEmail } from '@bailiwick/contract'
import { type Fragment, sql } from '../../../platform/db/sql.ts'
import type { Deps } from '../../deps.ts'
import { closePlace, holdDirectory, userPlaces } from '../directory.ts'
import type { ScimPlace } from '../place.ts'
import type { Condition } from '../protocol/filter.ts'
import type { ListRequest } from '../protocol/list.ts'
import { bad } from '../protocol/scim-error.ts'
import type { UserRow } from '../queries.ts'
import * as queries from '../queries.ts'
import { searchKey } from './derived.ts'

/** More than these are not counted. */
export const foundMax = 1000

export interface Found<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

const unknown = (name: string) => bad('invalidFilter', `Users cannot be found by ${name}.`)

/** Returns the condition in SQL. The address that is compared is the one by which the user is known here. */
function toCondition({ attribute, sub, within, value }: Condition): Fragment {
  const text = String(value)
  switch (attribute.key) {
    case 'userName':
      return sql`user_name_key = ${searchKey(text)}`
    case 'externalId':
      return sql`external_id = ${text}`
    case 'id':
      return sql`id = ${text}`
    case 'displayName':
      return sql`display_name_key = ${searchKey(text)}`
    case 'active':
      return sql`active = ${value === true ? 1 : 0}`
    case 'emails': {
      const isWork = within.every((each) => each.sub.name === 'type' && String(each.value).toLowerCase() === 'work')
      if (sub?.name !== 'value' || !isWork) throw unknown('that part of emails')
      return sql`email_key = ${isEmail(text.trim()) ? emailKey(text.trim()) : ''}`
    }
    default:
      throw unknown(attribute.name)
  }
}

/**
 * Returns the page of those that meet the conditions.
 * @throws ScimError tooMany, invalidFilter
 */
export async function page<Row>(
  request: ListRequest,
  conditionFor: (condition: Condition) => Fragment,
  select: (conditions: Fragment, limit: number) => Promise<Row[]>,
): Promise<Found<Row>> {
  const conditions = sql.join(request.conditions.map(conditionFor), ' AND ')
  const rows = await select(conditions, foundMax + 1)
  if (rows.length > foundMax)
    throw bad('tooMany', `More than ${foundMax} resources match. Compare something else, too.`)
  const start = request.startIndex - 1
  return { rows: rows.slice(start, start + request.count), total: rows.length }
}

const isDense = (rows: readonly UserRow[], { startIndex, count }: ListRequest, total: number) =>
  rows.every((row, n) => row.place === startIndex + n) &&
  rows.length === Math.min(count, Math.max(0, total - startIndex + 1))

/** Moves the last users into the places of those whose accounts were erased, within one page. */
const closeGaps = (deps: Deps, place: ScimPlace, { startIndex, count }: ListRequest): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const { tenantId, connection } = place
    let directory = await holdDirectory(tx, place)
    const rows = await queries.selectUsersFrom(tx, tenantId, connection.id, startIndex, count)
    const taken = new Set(rows.map((row) => row.place))
    for (let at = startIndex; at < startIndex + count && at <= directory.users_total; at++) {
      if (!taken.has(at)) directory = await closePlace(tx, userPlaces, directory, at)
    }
  })

async function pageByPlace(deps: Deps, place: ScimPlace, request: ListRequest): Promise<Found<UserRow>> {
  const { tenantId, connection } = place
  const { startIndex, count } = request
  const [directory, rows] = await Promise.all([
    queries.selectDirectory(deps.db, tenantId, connection.id),
    count === 0 ? [] : queries.selectUsersFrom(deps.db, tenantId, connection.id, startIndex, count),
  ])
  return { rows: rows.filter((row) => row.place < startIndex + count), total: directory?.users_total ?? 0 }
}

/** @throws ScimError tooMany, invalidFilter */
export async function findScimUsers(deps: Deps, place: ScimPlace, request: ListRequest): Promise<Found<UserRow>> {
  const { tenantId, connection } = place
  if (request.conditions.length > 0) {
    return page(request, toCondition, (conditions, limit) =>
      queries.selectUsersWhere(deps.db, tenantId, connection.id, conditions, limit),
    )
  }
  const found = await pageByPlace(deps, place, request)
  if (isDense(found.rows, request, found.total)) return found
  // An account was erased elsewhere: its row here went with it. A write at the same moment looks like that, too, and does no harm.
  await closeGaps(deps, place, request)
  return pageByPlace(deps, place, request)
}
