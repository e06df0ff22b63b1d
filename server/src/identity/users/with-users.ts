// Adds to records that name a user the summary of that user, which lists show.
import type { UserSummary } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import { findUserSummaries } from './user-summaries.ts'

interface OfUser {
  readonly userId: string | null
}

export type WithUser<Shown extends OfUser> = Shown & { readonly user: UserSummary | null }

/** Reads the users of all the records at once, however many there are. If a record names nobody, or a deleted user, the summary is null. */
export async function withUsers<Shown extends OfUser>(
  db: Reader,
  tenantId: TenantId,
  records: readonly Shown[],
): Promise<WithUser<Shown>[]> {
  const ids = new Set(records.flatMap(({ userId }) => userId ?? []))
  const users = await findUserSummaries(db, tenantId, [...ids])
  return records.map((record) => ({ ...record, user: users.get(record.userId ?? '') ?? null }))
}

/** Does the same for one record. */
export async function withUser<Shown extends OfUser>(
  db: Reader,
  tenantId: TenantId,
  record: Shown,
): Promise<WithUser<Shown>> {
  const [shown] = await withUsers(db, tenantId, [record])
  if (shown === undefined) throw new Error('a record was lost')
  return shown
}
