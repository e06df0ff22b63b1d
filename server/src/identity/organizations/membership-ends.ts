// Memberships, roles and invitations that end by themselves. The time counts: whatever reads what a member may do compares it, so that rights end at once on
// every node. What this removes later is only the record.
import type { UpdateOrganizationMember } from '@bailiwick/contract'
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { isPast, readEnd, readRoleEnd } from '../../platform/http/ends.ts'
import type { RoleId, TenantId } from '../../platform/ids.ts'
import { atEachClock } from '../../tenancy/test-mode/each-clock.ts'
import type { Deps } from '../deps.ts'
import { expiredInvitationsKeptMs } from '../tenant-members/expired-invitations.ts'
import { isLastManager, roleDeltas } from './member-role.ts'
import { membersCounter } from './membership.ts'
import * as queries from './queries.ts'
import { invitationsCounter, organizationInvitations } from './tables.ts'

type Ends = Pick<queries.OrganizationMemberRow, 'expires_at' | 'role_expires_at'>
type Input = Pick<UpdateOrganizationMember, 'expiresAt' | 'roleExpiresAt'>

export const isOver = ({ expires_at: at }: Pick<Ends, 'expires_at'>, now: Timestamp): boolean => isPast(at, now)

/** Whether a membership, or its role, ends by itself: then the organization cannot count on this member. */
const isTimed = ({ expires_at, role_expires_at }: Ends): boolean => expires_at !== null || role_expires_at !== null

/**
 * Returns when a membership and its role end: as the input says, else as before.
 * @throws ApiError validation_failed for a time that is not in the future, or an end of a role that the member does not have.
 */
export function endsAfter({ clock }: Pick<Deps, 'clock'>, input: Input, before: Ends, roleId: RoleId | null): Ends {
  const { expiresAt, roleExpiresAt } = input
  return {
    expires_at: expiresAt === undefined ? before.expires_at : readEnd(clock.now(), '/expiresAt', expiresAt),
    role_expires_at: readRoleEnd(clock, roleExpiresAt, before.role_expires_at, roleId),
  }
}

/**
 * An end comes when nobody is looking, so it may not leave the organization without anybody who can manage the others.
 * @throws ApiError last_manager
 */
export async function assertManagedWithoutEnd(tx: Transaction, before: queries.OrganizationMemberRow, ends: Ends) {
  if (isTimed(before) || !isTimed(ends) || !(await isLastManager(tx, before))) return
  const detail =
    'Nobody else can manage the members of this organization without an end. Give another member that role first.'
  throw new ApiError('last_manager', { detail })
}

const nobody: Actor = { type: 'system', id: null, ip: null, ua: null }

/** Removes a membership that has ended and that the transaction holds. */
export async function removeEnded({ clock, personal }: Deps, tx: Transaction, row: queries.OrganizationMemberRow) {
  const { tenant_id: tenantId, organization_id: organizationId, user_id: userId, role_id: roleId } = row
  await tx.run(queries.deleteMember(tenantId, row.id))
  await tx.run(addToCounters(tx, tenantId, { [membersCounter(organizationId)]: -1, ...roleDeltas(roleId, null) }))
  await tx.run(
    eventStatement(clock, personal, {
      tenantId,
      type: 'organization_membership.expired',
      actor: nobody,
      subjectId: row.id,
      data: { organizationId, userId, roleId },
    }),
  )
}

async function removeRole({ clock, personal }: Deps, tx: Transaction, row: queries.OrganizationMemberRow) {
  const { tenant_id: tenantId, organization_id: organizationId, user_id: userId, role_id: roleId } = row
  await tx.run(queries.updateMember({ ...row, role_id: null, role_expires_at: null, updated_at: clock.now() }))
  await tx.run(addToCounters(tx, tenantId, roleDeltas(roleId, null)))
  await tx.run(
    eventStatement(clock, personal, {
      tenantId,
      type: 'organization_membership.role_expired',
      actor: nobody,
      subjectId: row.id,
      data: { organizationId, userId, roleId },
    }),
  )
}

/** Ends what has ended of a membership, unless it was prolonged meanwhile. */
const endOne = (deps: Deps, tenantId: TenantId, id: string) =>
  deps.db.transaction(async (tx) => {
    const row = await queries.selectMemberForUpdate(tx, tenantId, id)
    if (row === undefined) return
    const now = deps.clock.now()
    if (isOver(row, now)) await removeEnded(deps, tx, row)
    else if (isPast(row.role_expires_at, now)) await removeRole(deps, tx, row)
  })

const batchSize = 200

/** Does one bounded piece of work; returns whether there is more. */
export const endExpiredMemberships = (deps: Deps): Promise<boolean> =>
  atEachClock(deps, async (tenant) => {
    const rows = await queries.selectEndedMembers(deps.db, tenant, deps.clock.now(), batchSize)
    for (const { tenant_id: tenantId, id } of rows) await endOne(deps, tenantId, id)
    return rows.length >= batchSize
  })

/** Makes room for a new membership of a user whose earlier one has ended, but is not removed yet. */
export async function removeIfEnded(deps: Deps, tx: Transaction, tenantId: TenantId, id: string) {
  const row = await queries.selectMemberForUpdate(tx, tenantId, id)
  if (row !== undefined && isOver(row, deps.clock.now())) await removeEnded(deps, tx, row)
}

const removedAtOnce = 500

const unanswered = sql`accepted_at IS NULL AND declined_at IS NULL`
const places = organizationInvitations.only('tenant_id', 'id', 'organization_id')

/**
 * Removes invitations that nobody has answered, 90 days after they have expired: addresses of people who are no users are not kept for
 * longer. Answered ones stay, because who has declined is not asked again.
 * @returns whether there are more
 */
export async function removeExpiredInvitations({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<boolean> {
  const before = addMilliseconds(clock.now(), -expiredInvitationsKeptMs)
  const rows = await places.all(db)`expires_at < ${before} AND ${unanswered} ORDER BY expires_at LIMIT ${removedAtOnce}`
  for (const [tenantId, own] of Map.groupBy(rows, (row) => row.tenant_id)) {
    await db.transaction(async (tx) => {
      for (const [organizationId, some] of Map.groupBy(own, (row) => row.organization_id)) {
        const ids = some.map(({ id }) => id)
        const removed = await tx.run(sql`DELETE FROM organization_invitations
          WHERE tenant_id = ${tenantId} AND id IN (${sql.list(ids)}) AND expires_at < ${before} AND ${unanswered}`)
        if (removed > 0) await tx.run(addToCounters(tx, tenantId, { [invitationsCounter(organizationId)]: -removed }))
      }
    })
  }
  return rows.length === removedAtOnce
}
