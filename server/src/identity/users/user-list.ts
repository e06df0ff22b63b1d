// GET /auth/users: the users of a tenant, newest first, filtered or searched.
import { sumOfCounter } from '../../platform/db/counters.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
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
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { presentUser } from './present.ts'
import { searchKey } from './search-keys.ts'
import { statusCounter } from './user-counters.ts'
import { type UserFilter, isFiltered, listedBy } from './user-filter.ts'
import { type UserRow, selectUsersCreatedAt, userSource } from './user-records.ts'
import { searchUsers } from './user-search.ts'
import { walk } from './user-walk.ts'
import { withContacts } from './users.ts'

export interface UserListQuery extends PageQuery, UserFilter {
  readonly query?: string
}

/** Returns how many users match the filter, from the counters, as an expression. */
function countUsers(tenantId: TenantId, { status, roleId }: UserFilter): Fragment {
  const counted = (name: string) => sql`COALESCE(${sumOfCounter(tenantId, name)}, 0)`
  const all = counted(roleId === undefined ? 'users' : roleUsersCounter(roleId))
  const suspended = counted(statusCounter('suspended', roleId ?? null))
  const inactive = counted(statusCounter('inactive', roleId ?? null))
  if (status === undefined) return all
  if (status === 'active') return sql`${all} - ${suspended} - ${inactive}`
  return status === 'suspended' ? suspended : inactive
}

/** Returns a page of active users. Nearly all users are active; where they are not, the others are passed over stretch by stretch. */
async function activePage({ db }: Deps, tenantId: TenantId, filter: UserFilter, { from, perPage }: PageRequest) {
  const isActive = sql`status = 'active'`
  const page = await walk(db, tenantId, filter, isActive, { start: from, direction: 'older', count: perPage + 1 })
  const times = page.slice(0, perPage)
  const newer =
    from === undefined
      ? []
      : await walk(db, tenantId, filter, isActive, { start: times[0] ?? from, direction: 'newer', count: perPage })
  return { times, next: page[perPage] ?? null, prev: newer.at(-1) ?? null }
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
    const { times, total, ...neighbours } = await searchUsers(db, tenantId, query, rest, request)
    return answer({ rows: await rowsOf(deps, tenantId, times), ...neighbours }, total)
  }
  if (!isFiltered(rest)) {
    const list = { source: userSource(listedBy(tenantId, rest)), tenantId, counter: 'users' }
    const { page, total } = await selectCountedPage<UserRow>(db, list, request)
    return answer(page, total)
  }
  const count = countUsers(tenantId, rest)
  if (rest.status !== 'active') {
    const { page, total } = await selectPageAndTotal<UserRow>(db, userSource(listedBy(tenantId, rest)), count, request)
    return answer(page, total)
  }
  const [counted, { times, ...neighbours }] = await Promise.all([
    db.first<{ total: number }>(sql`SELECT ${count} AS total`),
    activePage(deps, tenantId, rest, request),
  ])
  const page = { rows: await rowsOf(deps, tenantId, times), ...neighbours }
  return answer(page, counted?.total ?? 0)
}
