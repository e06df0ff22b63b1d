// The organization that a session acts for.
import { invalidateUser } from '../../platform/cache/invalidation.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { Deps } from '../deps.ts'
import type { LiveSession } from './live-session.ts'
import { setOrganization } from './queries.ts'

/**
 * Sets the organization; null means none. The caller has checked that the user is a member.
 * @throws ApiError unauthenticated if the session has ended meanwhile.
 */
export async function setActiveOrganization(
  { db, clock, personal, sessions }: Deps,
  { row }: LiveSession,
  organizationId: string | null,
  actor: Actor,
): Promise<void> {
  const { tenant_id: tenantId, user_id: userId } = row
  await db.transaction(async (tx) => {
    if ((await tx.run(setOrganization(row, organizationId, clock.now()))) === 0) throw new ApiError('unauthenticated')
    const data = { userId, organizationId }
    await tx.run(eventStatement(clock, personal, { tenantId, type: 'session.updated', actor, subjectId: row.id, data }))
    await invalidateUser(tx, sessions, tenantId, userId)
  })
}
