// Ends a key that was found where it must not be, and tells its owner: the user or, for the key of an organization, the members who manage
// its keys.
import type { ReportUserApiKey } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { emailAddressesOf, findUserRow } from '../../identity/users/find-user.ts'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import { hasValidChecksum, hashToken } from '../../platform/crypto/tokens.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { OrganizationId, RoleId, TenantId, UserId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { type FoundRole, findRoleRows } from '../../tenancy/roles/find-role.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { type UserApiKeyRow, selectKeyByHash } from './queries.ts'
import { userApiKeys } from './tables.ts'
import { removeKey } from './user-api-keys.ts'

/** Of the members of an organization, at most this many are told. */
const toldMax = 20
/** Members with a role are few; a role's permissions are read from its JSON. */
const readMax = 500

async function findManagers(db: Reader, tenantId: TenantId, organizationId: OrganizationId): Promise<UserId[]> {
  const rows = await db.all<{ user_id: UserId; role_id: RoleId }>(sql`SELECT user_id, role_id FROM organization_members
    WHERE tenant_id = ${tenantId} AND organization_id = ${organizationId} AND role_id IS NOT NULL
    ORDER BY created_at LIMIT ${readMax}`)
  const ids = rows.map((row) => row.role_id)
  const roles = await findRoleRows(db, tenantId, organizationId, ids)
  const isManaging = (role: FoundRole | undefined) =>
    role !== undefined && fromJson(role.permissions).includes('org:api-keys:manage')
  const managers = rows.filter((row) => isManaging(roles.get(row.role_id)))
  return managers.slice(0, toldMax).map((row) => row.user_id)
}

async function tellOwners(deps: Deps, tx: Transaction, row: UserApiKeyRow) {
  const { tenant_id: tenantId, organization_id: organizationId, user_id: userId } = row
  const ids = userId === null ? await findManagers(tx, tenantId, organizationId as OrganizationId) : [userId]
  for (const id of ids) {
    const user = await findUserRow(tx, tenantId, id)
    if (user === undefined) continue
    const addresses = await emailAddressesOf(tx, tenantId, user.id)
    const to = addresses.find((address) => address.id === user.primary_email_id && address.verified_at !== null)?.email
    if (to === undefined) continue
    await queueMessage(tx, deps, {
      tenantId,
      channelType: 'email',
      template: { type: 'api-key-leaked' },
      to,
      userId: user.id,
      language: user.locale ?? undefined,
      variables: { user: { name: user.name }, apiKey: { name: row.name, last4: row.last4 } },
      purpose: 'security_notice',
    })
  }
}

/** Returns whether there was such a key; it has ended then. */
export async function reportKey(
  deps: Deps,
  { row: { id: tenantId } }: TenantEntry,
  { key, foundAt = null }: Pick<ReportUserApiKey, 'key'> & { readonly foundAt?: string | null },
  actor: Actor,
): Promise<{ readonly ended: boolean }> {
  if (!hasValidChecksum(key)) return { ended: false }
  const hash = hashToken(key)
  return deps.db.transaction(async (tx) => {
    const found = await selectKeyByHash(tx, tenantId, hash)
    const row = found && (await userApiKeys.lock(tx, tenantId, found.id))
    if (row?.hash !== hash) return { ended: false }
    await removeKey(deps, tx, row, { actor, reason: 'leaked', foundAt })
    await tellOwners(deps, tx, row)
    return { ended: true }
  })
}
