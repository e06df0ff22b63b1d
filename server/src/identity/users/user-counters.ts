// The counters that change with users, so that no list has to count rows.
import type { UserStatus } from '@bailiwick/contract'
import { roleUsersCounter } from '../../tenancy/roles/roles.ts'
import { anonymousCounter } from './tables.ts'

type Counts = Readonly<Record<string, number>>

interface Counted {
  readonly status: UserStatus
  readonly role_id: string | null
  readonly is_anonymous: number
}

/**
 * Returns the counter of a status, of one role's users or of all. Active users are those that no other status counts, so that creating a
 * user changes one counter less.
 */
export const statusCounter = (status: Exclude<UserStatus, 'active'>, roleId: string | null) =>
  `${roleId === null ? 'users' : roleUsersCounter(roleId)}:${status}`

/** Returns the counts of one user, multiplied by `by`. */
export function countsOf({ status, role_id: roleId, is_anonymous: isAnonymous }: Counted, by: 1 | -1): Counts {
  const counts: Record<string, number> = { users: by }
  if (isAnonymous === 1) counts[anonymousCounter] = by
  if (roleId !== null) counts[roleUsersCounter(roleId)] = by
  if (status !== 'active') {
    counts[statusCounter(status, null)] = by
    if (roleId !== null) counts[statusCounter(status, roleId)] = by
  }
  return counts
}

/** Returns the sums; undefined if all of them are zero. */
export function addCounts(...all: readonly Counts[]): Counts | undefined {
  const sums: Record<string, number> = {}
  let isNothing = true
  for (const counts of all) {
    for (const name in counts) sums[name] = (sums[name] ?? 0) + (counts[name] ?? 0)
  }
  for (const name in sums) if (sums[name] !== 0) isNothing = false
  return isNothing ? undefined : sums
}
