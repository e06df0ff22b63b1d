// The users about whom questions are asked, with their role at the tenant. Those who were asked about lately are in memory, which is told when
// a user changes; a change of a role replaces the tenant's entry, for which alone they are right. Memberships of organizations are read each
// time: memory is not told of all that changes them.
import type { UserStatus } from '@bailiwick/contract'
import { createValuesOfUsers } from '../../platform/cache/values-of-users.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { joinedReads } from '../../platform/db/joined-reads.ts'
import { isPast } from '../../platform/http/ends.ts'
import { type UserId, inTenant } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { MaybePromise } from '../../platform/maybe-promise.ts'
import type { RoleRow } from '../../tenancy/roles/find-role.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import { findStanding, findTenantRoleOfUser } from '../users/find-user.ts'

/** A role as questions need it. */
export interface GrantedRole {
  readonly name: string
  readonly permissions: ReadonlySet<string>
}

export interface Subject {
  readonly id: UserId
  readonly status: UserStatus
  /** The role at the tenant, which does not count any more once it has ended. */
  readonly role: GrantedRole | undefined
  readonly roleEndsAt: Timestamp | null
}

interface Known extends Subject {
  readonly tenant: TenantEntry
}

export interface Subjects {
  readonly find: (tenant: TenantEntry, id: string) => MaybePromise<Subject | undefined>
}

export const grantedRole = ({ name, permissions }: Pick<RoleRow, 'name' | 'permissions'>): GrantedRole => ({
  name,
  permissions: new Set(fromJson(permissions)),
})

/** Returns the subject's role at the tenant at this moment. */
export const roleNow = ({ role, roleEndsAt }: Subject, now: Timestamp): GrantedRole | undefined =>
  isPast(roleEndsAt, now) ? undefined : role

/** Returns what makes one object of a role for all subjects who have it. */
function createRoleSharing() {
  const rolesByTenant = new WeakMap<TenantEntry, Map<string, { readonly granted: GrantedRole; readonly at: string }>>()
  return (tenant: TenantEntry, role: RoleRow): GrantedRole => {
    const roles = rolesByTenant.get(tenant) ?? new Map<string, { granted: GrantedRole; at: string }>()
    rolesByTenant.set(tenant, roles)
    const known = roles.get(role.id)
    if (known !== undefined && known.at === role.updated_at) return known.granted
    const granted = grantedRole(role)
    roles.set(role.id, { granted, at: role.updated_at })
    return granted
  }
}

export function createSubjects({ db, tenants, sessions }: Deps): Subjects {
  const memory = createValuesOfUsers<Known>(({ tenant, id }) => {
    const key = inTenant(tenant.row.id, id)
    return { key, user: key }
  })
  sessions.alsoForgets(memory)
  const shared = createRoleSharing()

  async function read(tenant: TenantEntry, id: string): Promise<Known | undefined> {
    const tenantId = tenant.row.id
    const joined = joinedReads(db)
    const [user, role] = await Promise.all([
      findStanding(joined, tenantId, id),
      findTenantRoleOfUser(joined, tenantId, id),
    ])
    if (user === undefined) return undefined
    const { status, role_expires_at: roleEndsAt } = user
    return { tenant, id: user.id, status, role: role && shared(tenant, role), roleEndsAt }
  }

  return {
    find(tenant, id) {
      const known = tenants.isConfirmed() ? memory.get(inTenant(tenant.row.id, id)) : undefined
      return known?.tenant === tenant ? known : memory.load(() => read(tenant, id))
    },
  }
}
