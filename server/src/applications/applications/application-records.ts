// Applications as the authorization server needs them, kept in memory with the tenant's entry until the tenant changes.
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import { numberOf } from '../../platform/cache/numbered.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-directory.ts'
import { applicationSecrets, applications } from './tables.ts'

export type ApplicationRow = RowOf<typeof applications>
type SecretRow = RowOf<typeof applicationSecrets>

export interface ApplicationRecord {
  readonly row: ApplicationRow
  readonly secrets: readonly SecretRow[]
}

const secretsMax = 2
const keptMax = 20_000
/** Keyed by the tenant's entry and the client's id. */
const kept = new LRUCache<string, ApplicationRecord>(entriesAtMost(keptMax))

/** Returns undefined for a client that is not registered. */
export async function findApplicationOfClient(
  db: Reader,
  tenant: TenantEntry,
  clientId: string,
): Promise<ApplicationRecord | undefined> {
  const key = `${numberOf(tenant)} ${clientId}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const tenantId = tenant.row.id
  const row = await applications.first(db)`tenant_id = ${tenantId} AND client_id = ${clientId}`
  if (row === undefined) return undefined
  const secrets = await applicationSecrets.all(db)`tenant_id = ${tenantId} AND application_id = ${row.id}
    ORDER BY created_at DESC LIMIT ${secretsMax}`
  const record = { row, secrets }
  kept.set(key, record)
  return record
}
