// The membership that a directory gives and ends.
import {
  giveRoleUnlessLastManager,
  holdMembership,
  isLastManager,
} from '../../../identity/organizations/member-role.ts'
import { addMember, newMemberRow, removeMember } from '../../../identity/organizations/members.ts'
import { changeWithin } from '../../../identity/people/user-changes.ts'
import { endSessionsActingFor } from '../../../identity/sessions/sessions.ts'
import { invalidateUser } from '../../../platform/cache/invalidation.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { eventStatement } from '../../../platform/events/append.ts'
import type { RoleId } from '../../../platform/ids.ts'
import { currentSettings } from '../../../tenancy/auth-configuration/read-settings.ts'
import type { Deps } from '../../deps.ts'
import type { ScimPlace } from '../place.ts'
import { ScimError } from '../protocol/scim-error.ts'
import type { UserRow } from '../queries.ts'
import { roleByGroups } from '../rules/role-by-groups.ts'
import { endGrants } from './end-grants.ts'
import { hasOtherWayIn } from './other-ways-in.ts'

interface Made {
  readonly id: string
  readonly roleId: RoleId | null
  readonly isNew: boolean
}

/** Makes the user a member with the role of the groups, or gives a member that role. */
async function ensureMember(deps: Deps, tx: Transaction, place: ScimPlace, row: UserRow): Promise<Made | undefined> {
  const { tenantId, connection, actor } = place
  const { organization_id: organizationId } = connection
  const present = await holdMembership(tx, tenantId, organizationId, row.user_id)
  const roleId = await roleByGroups(tx, place, row.id, present?.role_id ?? null)
  if (present !== undefined) {
    if (present.role_id === roleId) return undefined
    const after = await giveRoleUnlessLastManager(deps, tx, tenantId, present.id, roleId, actor)
    return after === present.role_id ? undefined : { id: present.id, roleId: after, isNew: false }
  }
  const auth = await currentSettings(tx, tenantId)
  const member = newMemberRow({ tenantId, organizationId, userId: row.user_id, roleId, at: deps.clock.next() })
  await addMember(deps, tx, member, auth?.organizationMembershipLimit ?? 0, actor)
  await invalidateUser(tx, deps.sessions, tenantId, row.user_id)
  return { id: member.id, roleId, isNew: true }
}

/**
 * Makes the user a member, and active again if the directory had suspended the user. Runs in a transaction that holds the user.
 * @param isNewUser whether the user was made for this.
 * @throws ApiError membership_limit_reached
 */
export async function provision(
  deps: Deps,
  tx: Transaction,
  place: ScimPlace,
  row: UserRow,
  isNewUser: boolean,
): Promise<UserRow> {
  const { clock, personal } = deps
  const { tenantId, connection, actor } = place
  if (row.suspended === 1) {
    await changeWithin(deps, tx, tenantId, row.user_id, actor, (_tx, before) =>
      before.status === 'suspended' ? { ...before, status: 'active' } : before,
    )
  }
  const member = await ensureMember(deps, tx, place, row)
  if (member !== undefined || isNewUser) {
    const created = [
      ...(isNewUser ? ['user' as const] : []),
      ...(member?.isNew === true ? ['membership' as const] : []),
    ]
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'member.provisioned',
        actor,
        subjectId: member?.id ?? row.id,
        data: {
          organizationId: connection.organization_id,
          connectionId: connection.id,
          userId: row.user_id,
          roleId: member?.roleId ?? null,
          created,
        },
      }),
    )
  }
  return { ...row, suspended: 0 }
}

/** Suspends a user who is a member of nothing else and could sign in only because of this organization. */
async function suspendIfAlone(deps: Deps, tx: Transaction, place: ScimPlace, row: UserRow): Promise<boolean> {
  const { tenantId, connection, actor } = place
  let isSuspended = false
  await changeWithin(deps, tx, tenantId, row.user_id, actor, async (_tx, before) => {
    if (before.status !== 'active' || (await hasOtherWayIn(tx, connection, before))) return before
    isSuspended = true
    return { ...before, status: 'suspended' }
  })
  return isSuspended
}

/**
 * Ends the membership with all sessions and grants that act for the organization. Runs in a transaction that holds the user.
 * @throws ScimError 409 for the last member who can manage the organization.
 */
export async function deprovision(
  deps: Deps,
  tx: Transaction,
  place: ScimPlace,
  row: UserRow,
  reason: 'deactivated' | 'deleted',
): Promise<UserRow> {
  const { clock, personal } = deps
  const { tenantId, connection, actor } = place
  const { organization_id: organizationId } = connection
  const member = await holdMembership(tx, tenantId, organizationId, row.user_id)
  if (member !== undefined) {
    if (await isLastManager(tx, member)) {
      throw new ScimError(
        409,
        'This is the last member who can manage the organization. Give somebody else that permission first.',
      )
    }
    await removeMember(deps, tx, member, actor)
  }
  const ending = { tenantId, userId: row.user_id, actor }
  await endSessionsActingFor(deps, tx, ending, organizationId)
  await endGrants(deps, tx, ending, organizationId)
  const suspended = await suspendIfAlone(deps, tx, place, row)
  if (member !== undefined || suspended) {
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'member.deprovisioned',
        actor,
        subjectId: member?.id ?? row.id,
        data: { organizationId, connectionId: connection.id, userId: row.user_id, reason, suspended },
      }),
    )
  }
  return { ...row, suspended: suspended ? 1 : row.suspended }
}
