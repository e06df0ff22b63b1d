// Which users a list is narrowed to, as conditions that its indexes can answer: role and status other than active each have
// one, so that such a list costs the same however many users there are. Active are nearly all.
import type { UserStatus } from '@bailiwick/contract'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'

export interface UserFilter {
  readonly status?: UserStatus
  readonly roleId?: string
}

export const isFiltered = ({ status, roleId }: UserFilter): boolean => status !== undefined || roleId !== undefined

/** The condition of the index that is walked; {@link remainderOf} says what it leaves open. */
export function listedBy(tenantId: TenantId, { status, roleId }: UserFilter): Fragment {
  const conditions = [sql`tenant_id = ${tenantId}`]
  if (roleId !== undefined) conditions.push(sql`role_id = ${roleId}`)
  // The literal is what lets SQLite see that its partial index will do.
  if (status !== undefined && status !== 'active') conditions.push(sql`status <> 'active' AND status = ${status}`)
  return sql.join(conditions, ' AND ')
}

/** What is left to check of each row, with an AND before it; nothing unless active users are wanted. */
export const remainderOf = ({ status }: UserFilter): Fragment =>
  status === 'active' ? sql`AND status = 'active'` : sql``

/** The same on a row that has been read; a row without these columns was read without a filter. */
export const isWithin = (
  { status, roleId }: UserFilter,
  row: { readonly status?: string; readonly role_id?: string | null },
): boolean => (status === undefined || row.status === status) && (roleId === undefined || row.role_id === roleId)
