// The scopes that resources have, for operations that need them within their own transactions.
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { resourcesMax } from './queries.ts'
import { resources } from './tables.ts'

/** The scopes that a machine application has on its own behalf at a resource, or at the management interface. */
export interface MachineScopes {
  /** The id of a resource, or `management`. */
  readonly resourceId: string
  readonly scopes: readonly string[]
}

/** Returns the names of the scopes of each existing resource. */
export async function findScopesOfResources(db: Reader, tenantId: TenantId, ids: readonly string[]) {
  const rows = ids.length === 0 ? [] : await resources.byIds(db, tenantId, ids)
  return new Map<string, readonly string[]>(rows.map((row) => [row.id, fromJson(row.scopes).map(({ name }) => name)]))
}

/** Returns the names of all scopes of the tenant's resources, each once. */
export async function scopesOfAllResources(db: Reader, tenantId: TenantId): Promise<readonly string[]> {
  const rows = await resources.all(db)`tenant_id = ${tenantId} ORDER BY created_at LIMIT ${resourcesMax}`
  return [...new Set(rows.flatMap((row) => fromJson(row.scopes).map(({ name }) => name)))]
}
