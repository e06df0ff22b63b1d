// Operations that name a record by its id alone: in which tenant is it? A caller of one tenant looks nowhere else.
import type { Reader } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { TenantId } from '../ids.ts'
import { ApiError, notFound } from './api-error.ts'
import { knows } from './authorize.ts'
import type { Principal } from './principal.ts'

export type LocatedTable =
  | 'api_keys'
  | 'channels'
  | 'domains'
  | 'email_addresses'
  | 'media_files'
  | 'media_uploads'
  | 'messages'
  | 'organization_invitations'
  | 'organization_members'
  | 'organizations'
  | 'phone_numbers'
  | 'roles'
  | 'sessions'
  | 'sign_in_attempts'
  | 'sign_up_attempts'
  | 'social_providers'
  | 'templates'
  | 'tenant_invitations'
  | 'tenant_members'
  | 'transformations'
  | 'users'
  | 'webhook_deliveries'
  | 'webhooks'

/** An import may bring one id into several tenants; more than these nobody has. */
const tenantsMax = 100

/**
 * The tenant that the record would have to be in, to be given to `call.enter`, then looked for there.
 * @throws ApiError not_found; ambiguous_id where several tenants that the caller knows have a record of that id.
 */
export async function locate(db: Reader, principal: Principal, table: LocatedTable, id: string): Promise<TenantId> {
  if (principal.type === 'secret_key' || principal.type === 'api_key') return principal.tenantId
  // What a deleted tenant has is as gone as the tenant, also while it could be restored.
  const rows = await db.all<{ tenant_id: TenantId }>(
    sql`SELECT r.tenant_id FROM ${sql.identifier(table)} r JOIN tenants t ON t.id = r.tenant_id
      WHERE r.id = ${id} AND t.deleted_at IS NULL LIMIT ${tenantsMax}`,
  )
  const [row, another] = rows.filter(({ tenant_id: tenantId }) => knows(principal, tenantId))
  if (row === undefined) throw notFound()
  if (another !== undefined) throw new ApiError('ambiguous_id')
  return row.tenant_id
}
