// GET /auth/users: the users of a tenant, newest first, filtered or searched.
import { sumOfCounter } from '../../platform/db/counters.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import { countNarrowed } from '../../platform/http/lists/list-filter.ts'
import {
  type PageQuery,
  pageEnvelope,
  pageRequest,
  selectCountedPage,
  selectPageAndTotal,
} from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import { roleUsersCounter } from '../../tenancy/roles/roles.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { searchKey } from '../search/search-keys.ts'
import { selectActiveUsers } from './active-users.ts'
import { presentUser } from './present.ts'
import { anonymousCounter } from './tables.ts'
import { statusCounter } from './user-counters.ts'
import { type UserFilter, hasRemainder, isFiltered, listedBy, remainderOf } from './user-filter.ts'
import { type UserRow, selectUsersCreatedAt, userSource } from './user-records.ts'
import { searchUsers } from './user-search.ts'
import { withContacts } from './users.ts'

export interface UserListQuery extends PageQuery, UserFilter {
  readonly query?: string
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

/**
 * Returns one page of a tenant's users.
 * @throws ApiError not_found for a tenant that does not exist.
 */
export async function listUsers(deps: Deps, tenantId: TenantId, { query = '', ...rest }: UserListQuery) {
  await getTenant(deps, tenantId)
  const { db } = deps
  const request = pageRequest(rest)
  const answer = async (
    page: { rows: readonly UserRow[]; prev: string | null; next: string | null },
    total: number,
  ) => {
    const users = await withContacts(db, tenantId, page.rows)
    return pageEnvelope(page, users.map(presentUser), total, request.perPage)
  }
  if (searchKey(query) !== '') {
    const { times, total, ...neighbours } = await searchUsers(db, { tenantId, text: query, filter: rest }, request)
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
