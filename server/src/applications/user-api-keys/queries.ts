import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { OrganizationId, TenantId, UserId } from '../../platform/ids.ts'
import type { KeyOwner } from './owners.ts'
import { userApiKeys } from './tables.ts'

export type UserApiKeyRow = RowOf<typeof userApiKeys>

/** The most keys that an owner can have, whatever the tenant allows. */
const keysMax = 100

/** All own keys of a user, also those with which the user acts in an organization, newest first. */
export const selectKeysOfUser = (db: Reader, tenantId: TenantId, userId: UserId) =>
  userApiKeys.all(db)`tenant_id = ${tenantId} AND user_id = ${userId} ORDER BY created_at DESC LIMIT ${keysMax}`

export const selectKeysOfOrganization = (db: Reader, tenantId: TenantId, organizationId: OrganizationId) =>
  userApiKeys.all(db)`tenant_id = ${tenantId} AND organization_id = ${organizationId} AND user_id IS NULL
    ORDER BY created_at DESC LIMIT ${keysMax}`

export const selectOwnedKeys = (db: Reader, tenantId: TenantId, { userId, organizationId }: KeyOwner) =>
  userId === null ? selectKeysOfOrganization(db, tenantId, organizationId) : selectKeysOfUser(db, tenantId, userId)

export const selectKeyByHash = (db: Reader, tenantId: TenantId, hash: string) =>
  userApiKeys.first(db)`tenant_id = ${tenantId} AND hash = ${hash}`

/** Changes nothing if it was written since `before`, perhaps by another node. */
export const touchKey = (tenantId: TenantId, id: string, at: Timestamp, before: Timestamp): Statement =>
  sql`UPDATE user_api_keys SET last_used_at = ${at} WHERE tenant_id = ${tenantId} AND id = ${id}
    AND (last_used_at IS NULL OR last_used_at <= ${before})`
