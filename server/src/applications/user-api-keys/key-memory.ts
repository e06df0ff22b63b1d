// Keys of users that were checked lately. What memory has is right only for the tenant that it was made with, which a change of a role, a
// resource or a setting replaces. Keys of organizations, and those with which users act in one, are read each time: memory is not told of
// their members.
import { type ValuesOfUsers, createValuesOfUsers } from '../../platform/cache/values-of-users.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { inTenant } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { UserApiKeyRow } from './queries.ts'

export interface KnownKey {
  readonly row: UserApiKeyRow
  readonly tenant: TenantEntry
  /** What the key may do now. */
  readonly scopes: readonly string[]
  /** When the owner's rights change by themselves, because a role or a membership ends; null for never. */
  readonly endsAt: Timestamp | null
  /** The time from which another use is written. */
  touchDueMs: number
}

/** Makes the memory of keys, which finds them by the hash of the key. */
export const createKeyMemory = (): ValuesOfUsers<KnownKey> =>
  createValuesOfUsers(({ row: { hash, tenant_id: tenantId, user_id: userId, organization_id: organizationId } }) =>
    userId === null || organizationId !== null ? undefined : { key: hash, user: inTenant(tenantId, userId) },
  )
