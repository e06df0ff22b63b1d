// Resources as the authorization server needs them.
import type { Reader } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { resources } from './tables.ts'

export type ResourceRow = RowOf<typeof resources>

export const findResource = (db: Reader, tenantId: TenantId, indicator: string): Promise<ResourceRow | undefined> =>
  resources.first(db)`tenant_id = ${tenantId} AND indicator = ${indicator}`
