// Changes an invitation and revokes it. Accepting one takes the same row, so a change happens either before or after.
import type { UpdateTenantMember } from '@bailiwick/contract'
import { machineTime } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { readEnd } from '../../platform/http/ends.ts'
import type { TenantId } from '../../platform/ids.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { flagColumns, presentFlags } from './flags.ts'
import { endOfInvitation } from './invitations.ts'
import { presentTenantInvitation } from './present.ts'
import * as queries from './queries.ts'

/**
 * Sets all nine flags of an invitation, and when the rights end that it gives.
 * @throws ApiError not_found; validation_failed for an end that is not in the future.
 */
export async function updateTenantInvitation(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  { expiresAt, ...flags }: UpdateTenantMember,
  actor: Actor,
) {
  const { db, clock, personal } = deps
  const { row: tenant } = await getTenant(deps, tenantId)
  return db.transaction(async (tx) => {
    const before = await queries.selectInvitationForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    const { rights_expire_at: present, created_at: since } = before
    const end = expiresAt === undefined ? present : readEnd(machineTime(clock), '/expiresAt', expiresAt)
    const ends = { rights_expire_at: end, expires_at: endOfInvitation(since, end) }
    const after = { ...before, ...flagColumns(flags), ...ends, updated_at: clock.now() }
    await tx.run(queries.updateInvitation(after))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant_invitation.updated',
        actor,
        subjectId: id,
        data: { before: presentFlags(before), after: presentFlags(after), rightsExpireAt: end },
      }),
    )
    return presentTenantInvitation(after, tenant)
  })
}

/** @throws ApiError not_found */
export async function deleteTenantInvitation(deps: Deps, tenantId: TenantId, id: string, actor: Actor): Promise<true> {
  const { db, clock, personal } = deps
  await getTenant(deps, tenantId)
  await db.transaction(async (tx) => {
    const row = await queries.selectInvitationForUpdate(tx, tenantId, id)
    if (row === undefined || (await tx.run(queries.deleteInvitation(tenantId, id))) === 0) throw notFound()
    await tx.run(addToCounters(tx, tenantId, { invitations: -1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant_invitation.deleted',
        actor,
        subjectId: id,
        data: { flags: presentFlags(row) },
      }),
    )
  })
  return true
}
