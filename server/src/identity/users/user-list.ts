// GET /auth/users: the users of a tenant, newest first, filtered or searched.
import { sumOfCounter } from '../../platform/db/counters.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import { invalid } from '../../platform/http/api-error.ts'
import { countNarrowed } from '../../platform/http/lists/list-filter.ts'
import {
  type PageQuery,
  type PageRequest,
  pageEnvelope,
  pageRequest,
  selectCountedPage,
  selectPageAndTotal,
} from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import { roleUsersCounter } from '../../tenancy/roles/roles.ts'
import { valueFromText, valueProblem } from '../../tenancy/tenants/attributes/values.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { searchKey } from '../search/search-keys.ts'
import { selectActiveUsers } from './active-users.ts'
import { presentUser } from './present.ts'
import { matchesMax } from './search-sources.ts'
import { anonymousCounter } from './tables.ts'
import { statusCounter } from './user-counters.ts'
import { type UserFilter, hasRemainder, isFiltered, listedBy, remainderOf, remaining } from './user-filter.ts'
import { type UserRow, selectUsersCreatedAt, userSource } from './user-records.ts'
import { searchUsers } from './user-search.ts'
import { type Walked, type Way, walk, walkedMax } from './user-walk.ts'
import { withContacts } from './users.ts'

export interface UserListQuery extends PageQuery, Omit<UserFilter, 'value'> {
  readonly query?: string
  /** The key of an attribute and a value, with a colon between them. */
  readonly attribute?: string
}

/** Returns how many users match the filter, as an expression: from the counters, or counted up to 1,001. */
function countUsers(tenantId: TenantId, filter: UserFilter): Fragment {
  const { status, roleId, isAnonymous } = filter
  const counted = (name: string) => sql`COALESCE(${sumOfCounter(tenantId, name)}, 0)`
  if (isAnonymous !== undefined) {
    const anonymous = counted(anonymousCounter)
    if (status === undefined && roleId === undefined)
      return isAnonymous === 'true' ? anonymous : sql`${counted('users')} - ${anonymous}`
    return countNarrowed(userSource(sql`${listedBy(tenantId, filter)} ${remainderOf(filter)}`))
  }
  const all = counted(roleId === undefined ? 'users' : roleUsersCounter(roleId))
  const suspended = counted(statusCounter('suspended', roleId ?? null))
  const inactive = counted(statusCounter('inactive', roleId ?? null))
  if (status === undefined) return all
  if (status === 'active') return sql`${all} - ${suspended} - ${inactive}`
  return status === 'suspended' ? suspended : inactive
}

async function rowsOf({ db }: Deps, tenantId: TenantId, times: readonly string[]) {
  return times.length === 0 ? [] : selectUsersCreatedAt(db, tenantId, times)
}

/** @throws ApiError validation_failed for an attribute that the tenant does not have, and a value that is not of its type. */
function readAttribute({ attributes }: TenantEntry, attribute: string | undefined): Pick<UserFilter, 'value'> {
  if (attribute === undefined) return {}
  const [key = ''] = attribute.split(':', 1)
  const found = attributes.find((each) => each.key === key)
  if (found === undefined || key === attribute)
    throw invalid('/attribute', 'unknown_reference', 'must begin with the key of an attribute and a colon')
  const value = valueFromText(found, attribute.slice(key.length + 1))
  const problem = valueProblem(found, value)
  if (problem !== undefined) throw invalid('/attribute', problem.code, problem.message)
  return { value: { key, json: JSON.stringify(value) } }
}

/** Returns one page of the users who have a value, of whom no index knows. As many are passed over for it as for a page of a search. */
async function listWithValue(
  db: Reader,
  list: { readonly tenantId: TenantId; readonly filter: UserFilter },
  { from, perPage }: PageRequest,
) {
  const look = (way: Way) =>
    walk(db, list, remaining(list.filter), way, { walkedMax: way.direction === 'older' ? walkedMax : walkedMax - 1 })
  const nothing: Walked = { times: [] }
  const page = (await look({ direction: 'older', start: from, count: perPage + 1 })) ?? nothing
  const next = page.times[perPage] ?? page.stoppedAt ?? null
  const times = page.times.slice(0, perPage).filter((time) => time !== next)
  const isWhole = from === undefined && next === null
  const newer =
    from === undefined ? nothing : ((await look({ direction: 'newer', start: from, count: perPage })) ?? nothing)
  const all = isWhole
    ? page
    : ((await look({ direction: 'older', start: undefined, count: matchesMax + 1 })) ?? nothing)
  const total = all.stoppedAt === undefined ? all.times.length : matchesMax + 1
  return { times, next, prev: newer.stoppedAt ?? newer.times.at(-1) ?? null, total }
}

/**
 * Returns one page of a tenant's users.
 * @throws ApiError not_found for a tenant that does not exist; validation_failed
 */
export async function listUsers(deps: Deps, tenantId: TenantId, asked: UserListQuery) {
  const { query = '', attribute, ...others } = asked
  const { db, clock } = deps
  const rest = { ...others, ...readAttribute(await getTenant(deps, tenantId), attribute), now: clock.now() }
  const request = pageRequest(rest)
  const answer = async (
    page: { rows: readonly UserRow[]; prev: string | null; next: string | null },
    total: number,
  ) => {
    const users = await withContacts(deps, tenantId, page.rows)
    return pageEnvelope(page, users.map(presentUser), total, request.perPage)
  }
  if (searchKey(query) !== '') {
    const { times, total, ...neighbours } = await searchUsers(db, { tenantId, text: query, filter: rest }, request)
    return answer({ rows: await rowsOf(deps, tenantId, times), ...neighbours }, total)
  }
  if (rest.value !== undefined) {
    const { times, total, ...neighbours } = await listWithValue(db, { tenantId, filter: rest }, request)
    return answer({ rows: await rowsOf(deps, tenantId, times), ...neighbours }, total)
  }
  if (!isFiltered(rest)) {
    const list = { source: userSource(listedBy(tenantId, rest)), tenantId, counter: 'users' }
    const { page, total } = await selectCountedPage<UserRow>(db, list, request)
    return answer(page, total)
  }
  const count = countUsers(tenantId, rest)
  const { page, total } = hasRemainder(rest)
    ? await selectActiveUsers(db, { tenantId, filter: rest, total: count }, request)
    : await selectPageAndTotal<UserRow>(db, userSource(listedBy(tenantId, rest)), count, request)
  return answer(page, total)
}
