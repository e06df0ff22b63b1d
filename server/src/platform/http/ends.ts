// Ends of what users have for a time only. The time counts: whatever reads what somebody may do compares it, so that rights end at once on
// every node. Tasks beside the requests only remove the records.
import { parseCursor } from '@bailiwick/contract'
import type { Clock, Timestamp } from '../clock.ts'
import type { Reader } from '../db/database.ts'
import { type Fragment, sql } from '../db/sql.ts'
import type { RoleId, TenantId } from '../ids.ts'
import { invalid } from './api-error.ts'

/** What rights that end need: the database or a transaction, and the time. */
export interface TimedReader {
  readonly db: Reader
  readonly clock: Pick<Clock, 'now'>
}

export const isPast = (at: Timestamp | null, now: Timestamp): boolean => at !== null && at <= now

/** Selects the rows that have not ended. */
export const isCurrent = (now: Timestamp): Fragment => sql`(expires_at IS NULL OR expires_at > ${now})`

/** Narrows what has ended to one tenant. */
export const within = (tenantId: TenantId | undefined): Fragment =>
  tenantId === undefined ? sql`` : sql`AND tenant_id = ${tenantId}`

/**
 * Returns the end that an input names.
 * @param path the property of the body.
 * @throws ApiError validation_failed
 */
export function readEnd(now: Timestamp, path: string, text: string | null): Timestamp | null {
  if (text === null) return null
  const at = parseCursor(text)?.from as Timestamp | undefined
  if (at === undefined || at <= now) throw invalid(path, 'too_early', 'must be in the future')
  return at
}

/**
 * Returns when a role ends, as the input says or else as before.
 * @throws ApiError validation_failed for a time that is not in the future, or an end without a role.
 */
export function readRoleEnd(
  clock: Pick<Clock, 'now'>,
  input: string | null | undefined,
  before: Timestamp | null,
  roleId: RoleId | null,
): Timestamp | null {
  if (input === undefined) return roleId === null ? null : before
  if (input !== null && roleId === null) throw invalid('/roleExpiresAt', 'not_allowed', 'cannot be set without a role')
  return readEnd(clock.now(), '/roleExpiresAt', input)
}

/** A user with a role in the tenant, or a member with one in an organization. */
interface RoleHolder {
  readonly role_id: RoleId | null
  readonly role_expires_at: Timestamp | null
}

/** Returns the role that somebody has, unless its time has ended. */
export const roleIdNow = ({ role_id: id, role_expires_at: end }: RoleHolder, now: Timestamp): RoleId | null =>
  isPast(end, now) ? null : id
