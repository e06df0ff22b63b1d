// The filters of a list of users, as conditions that its indexes can answer. Role, and each status other than active, have an index, so
// that such a list costs the same however many users there are. Nearly all users are active.
import type { UserStatus } from '@bailiwick/contract'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'

export interface UserFilter {
  readonly status?: UserStatus
  readonly roleId?: string
  /** As the query says it. */
  readonly isAnonymous?: 'true' | 'false'
}

export const isFiltered = ({ status, roleId, isAnonymous }: UserFilter): boolean =>
  status !== undefined || roleId !== undefined || isAnonymous !== undefined

/** Returns the condition for the index that is walked; {@link remainderOf} returns what it leaves open. */
export function listedBy(tenantId: TenantId, { status, roleId, isAnonymous }: UserFilter): Fragment {
  const conditions = [sql`tenant_id = ${tenantId}`]
  if (roleId !== undefined) conditions.push(sql`role_id = ${roleId}`)
  // Only with the literal does SQLite see that it can use its partial index.
  if (status !== undefined && status !== 'active') conditions.push(sql`status <> 'active' AND status = ${status}`)
  if (isAnonymous === 'true') conditions.push(sql`is_anonymous = 1`)
  return sql.join(conditions, ' AND ')
}

/** Whether the condition of {@link listedBy} leaves something open, which nearly all users are. */
export const hasRemainder = ({ status, isAnonymous }: UserFilter): boolean =>
  status === 'active' || isAnonymous === 'false'

/** Returns what is left to check of each row, as a condition. */
export const remaining = ({ status, isAnonymous }: UserFilter): Fragment =>
  sql.join(
    [
      ...(status === 'active' ? [sql`status = 'active'`] : []),
      ...(isAnonymous === 'false' ? [sql`is_anonymous = 0`] : []),
    ],
    ' AND ',
  )

/** Returns the same, beginning with AND; empty if nothing is left. */
export const remainderOf = (filter: UserFilter): Fragment =>
  hasRemainder(filter) ? sql`AND ${remaining(filter)}` : sql``

/** Checks the same on a row that has been read; a row without these columns was read without a filter. */
export const isWithin = (
  { status, roleId, isAnonymous }: UserFilter,
  row: { readonly status?: string; readonly role_id?: string | null; readonly is_anonymous?: number },
): boolean =>
  (status === undefined || row.status === status) &&
  (roleId === undefined || row.role_id === roleId) &&
  (isAnonymous === undefined || (row.is_anonymous === 1) === (isAnonymous === 'true'))
