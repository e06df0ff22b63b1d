// Applications as the authorization server needs them, kept in memory with the tenant's entry until the tenant changes.
import type { Reader } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { keptWithTenant } from '../../tenancy/tenants/kept-with-tenant.ts'
import { hasSecondFactors } from '../../tenancy/tenants/second-factor-settings.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { applicationSecrets, applications } from './tables.ts'

export type ApplicationRow = RowOf<typeof applications>
type SecretRow = RowOf<typeof applicationSecrets>

export interface ApplicationRecord {
  readonly row: ApplicationRow
  readonly secrets: readonly SecretRow[]
}

const secretsMax = 2

async function readApplication(
  db: Reader,
  tenantId: TenantId,
  clientId: string,
): Promise<ApplicationRecord | undefined> {
  const row = await applications.first(db)`tenant_id = ${tenantId} AND client_id = ${clientId}`
  if (row === undefined) return undefined
  const secrets = await applicationSecrets.all(db)`tenant_id = ${tenantId} AND application_id = ${row.id}
    ORDER BY created_at DESC LIMIT ${secretsMax}`
  return { row, secrets }
}

/** Returns whether users sign in to the application of a client only with a second factor. */
export async function requiresSecondFactor(db: Reader, tenant: TenantEntry, clientId: string): Promise<boolean> {
  if (!hasSecondFactors(tenant.auth)) return false
  return (await findApplicationOfClient(db, tenant, clientId))?.row.require_second_factor === 1
}

/** Finds the application of a client in memory or in the database; undefined for a client that is not registered. */
export const findApplicationOfClient = keptWithTenant('application', readApplication)
