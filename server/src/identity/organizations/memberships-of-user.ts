// All organizations of one user: read for an export of the user's data, and subtracted from the counters when the user is deleted.
import { addToCounters } from '../../platform/db/counters.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { type TimedReader, isCurrent } from '../../platform/http/ends.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { roleMembersCounter } from '../../tenancy/roles/roles.ts'
import { membersCounter } from './membership.ts'
import { type OrganizationMemberRow, selectMembersOfUser, selectMembersOfUserForUpdate } from './queries.ts'

const batchSize = 200

/** Reads in batches, because nothing limits how many organizations a user is in. */
export async function* membershipsOfUser(
  db: Reader,
  tenantId: TenantId,
  userId: UserId,
  select = selectMembersOfUser,
): AsyncGenerator<readonly OrganizationMemberRow[]> {
  for (let after = ''; ;) {
    const rows = await select(db, tenantId, userId, after, batchSize)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return
    after = last.id
  }
}

export interface CurrentOrganization {
  readonly id: string
  readonly name: string
  readonly slug: string
}

/** How many organizations of a user a claim lists. */
const listedMax = 100

/** Returns the organizations of which a user is a member at this moment, the oldest memberships first. */
export const findCurrentOrganizations = ({ db, clock }: TimedReader, tenantId: TenantId, userId: UserId) =>
  db.all<CurrentOrganization>(sql`SELECT o.id, o.name, o.slug FROM organization_members m
    JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
    WHERE m.tenant_id = ${tenantId} AND m.user_id = ${userId} AND ${isCurrent(clock.now())}
    ORDER BY m.created_at LIMIT ${listedMax}`)

/** Reads the memberships, and holds each until the transaction ends. */
export const lockedMembershipsOfUser = (tx: Transaction, tenantId: TenantId, userId: UserId) =>
  membershipsOfUser(tx, tenantId, userId, selectMembersOfUserForUpdate)

/**
 * Subtracts a user's memberships from the counters. The rows themselves are removed together with the user's row, which the caller holds,
 * so that none is added meanwhile. The memberships are held too: one that is removed meanwhile would be subtracted twice, and let the
 * organization have one member more than it may. Resolves with how many there were.
 */
export async function uncountMemberships(tx: Transaction, tenantId: TenantId, userId: UserId): Promise<number> {
  let count = 0
  for await (const rows of lockedMembershipsOfUser(tx, tenantId, userId)) {
    const deltas: Record<string, number> = {}
    const countOff = (name: string) => {
      deltas[name] = (deltas[name] ?? 0) - 1
    }
    for (const { organization_id: organizationId, role_id: roleId } of rows) {
      countOff(membersCounter(organizationId))
      if (roleId !== null) countOff(roleMembersCounter(roleId))
    }
    await tx.run(addToCounters(tx, tenantId, deltas))
    count += rows.length
  }
  return count
}
