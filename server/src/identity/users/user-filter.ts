// The filters of a list of users, as conditions that its indexes can answer. Role, and each status other than active, have an index, so
// that such a list costs the same however many users there are. Nearly all users are active.
import type { UserStatus } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'

export interface UserFilter {
  readonly status?: UserStatus
  readonly roleId?: string
  /** The time, so that users are left out whose role has ended and is not removed yet. */
  readonly now?: Timestamp
  /** As the query says it. */
  readonly isAnonymous?: 'true' | 'false'
  readonly value?: AttributeValue
}

/** The value of an attribute, as JSON text. */
export interface AttributeValue {
  readonly key: string
  readonly json: string
}

export const isFiltered = ({ status, roleId, isAnonymous, value }: UserFilter): boolean =>
  status !== undefined || roleId !== undefined || isAnonymous !== undefined || value !== undefined

/** Returns the condition for the index that is walked; {@link remainderOf} returns what it leaves open. */
export function listedBy(tenantId: TenantId, { status, roleId, isAnonymous, now }: UserFilter): Fragment {
  const conditions = [sql`tenant_id = ${tenantId}`]
  if (roleId !== undefined) conditions.push(sql`role_id = ${roleId}`)
  if (roleId !== undefined && now !== undefined)
    conditions.push(sql`(role_expires_at IS NULL OR role_expires_at > ${now})`)
  // Only with the literal does SQLite see that it can use its partial index.
  if (status !== undefined && status !== 'active') conditions.push(sql`status <> 'active' AND status = ${status}`)
  if (isAnonymous === 'true') conditions.push(sql`is_anonymous = 1`)
  return sql.join(conditions, ' AND ')
}

/** Whether the condition of {@link listedBy} leaves something open, which nearly all users are. */
export const hasRemainder = ({ status, isAnonymous, value }: UserFilter): boolean =>
  status === 'active' || isAnonymous === 'false' || value !== undefined

const hasValue = ({ key, json }: AttributeValue): Fragment => sql`${sql.jsonField('public_meta', key)} = ${json}`

/** Returns what is left to check of each row, as a condition. */
export const remaining = ({ status, isAnonymous, value }: UserFilter): Fragment =>
  sql.join(
    [
      ...(status === 'active' ? [sql`status = 'active'`] : []),
      ...(isAnonymous === 'false' ? [sql`is_anonymous = 0`] : []),
      ...(value === undefined ? [] : [hasValue(value)]),
    ],
    ' AND ',
  )

/** Returns the same, beginning with AND; empty if nothing is left. */
export const remainderOf = (filter: UserFilter): Fragment =>
  hasRemainder(filter) ? sql`AND ${remaining(filter)}` : sql``

/** Returns the columns of users by which {@link isWithin} judges a row. */
export const judgedColumns = ({ value }: UserFilter): Fragment => sql`users.created_at, users.status, users.role_id,
  users.is_anonymous, ${value === undefined ? sql`1` : sql`CASE WHEN ${hasValue(value)} THEN 1 ELSE 0 END`} AS has_value`

/** Checks the same on a row that has been read; a row without these columns was read without a filter. */
export const isWithin = (
  { status, roleId, isAnonymous, value }: UserFilter,
  row: {
    readonly status?: string
    readonly role_id?: string | null
    readonly is_anonymous?: number
    readonly has_value?: number
  },
): boolean =>
  (value === undefined || row.has_value === 1) &&
  (status === undefined || row.status === status) &&
  (roleId === undefined || row.role_id === roleId) &&
  (isAnonymous === undefined || (row.is_anonymous === 1) === (isAnonymous === 'true'))
