// The filters of a list of users, as conditions that its indexes can answer. Role, and each status other than active, have an index, so
// that such a list costs the same however many users there are. Nearly all users are active.
import type { UserStatus } from '@bailiwick/contract'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'

export interface UserFilter {
  readonly status?: UserStatus
  readonly roleId?: string
}

export const isFiltered = ({ status, roleId }: UserFilter): boolean => status !== undefined || roleId !== undefined

/** Returns the condition for the index that is walked; {@link remainderOf} returns what it leaves open. */
export function listedBy(tenantId: TenantId, { status, roleId }: UserFilter): Fragment {
  const conditions = [sql`tenant_id = ${tenantId}`]
  if (roleId !== undefined) conditions.push(sql`role_id = ${roleId}`)
  // Only with the literal does SQLite see that it can use its partial index.
  if (status !== undefined && status !== 'active') conditions.push(sql`status <> 'active' AND status = ${status}`)
  return sql.join(conditions, ' AND ')
}

/** Returns what is left to check of each row, beginning with AND; empty unless active users are wanted. */
export const remainderOf = ({ status }: UserFilter): Fragment =>
  status === 'active' ? sql`AND status = 'active'` : sql``

/** Checks the same on a row that has been read; a row without these columns was read without a filter. */
export const isWithin = (
  { status, roleId }: UserFilter,
  row: { readonly status?: string; readonly role_id?: string | null },
): boolean => (status === undefined || row.status === status) && (roleId === undefined || row.role_id === roleId)
