import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { resources } from './tables.ts'

export type ResourceRow = RowOf<typeof resources>

/** The most resources that a tenant may have. */
export const resourcesMax = 100

export const selectResource = resources.byKey
export const selectResourceForUpdate = resources.lock
export const resourceSource = resources.sourceOf
export const insertResource = resources.insert
export const updateResource = resources.rewrite
export const deleteResource = resources.delete

/** Makes creations wait for each other, and for applications that are about to name a resource. */
export const lockTenant = (tenantId: TenantId) => sql`UPDATE tenants SET updated_at = updated_at WHERE id = ${tenantId}`
