import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { customProviders } from './tables.ts'

export type CustomProviderRow = RowOf<typeof customProviders>

/** How many a tenant has at most. */
export const customProvidersMax = 50

export const selectCustomProvider = customProviders.byKey
export const selectCustomProviderForUpdate = customProviders.lock
export const insertCustomProvider = customProviders.insert
export const deleteCustomProvider = customProviders.delete
export const updateCustomProvider = customProviders.rewrite

export const selectCustomProviders = (db: Reader, tenantId: TenantId) =>
  customProviders.all(db)`tenant_id = ${tenantId} ORDER BY created_at DESC LIMIT ${customProvidersMax}`

/** Those that sign people in. */
export const selectEnabledCustomProviders = (db: Reader, tenantId: TenantId) =>
  customProviders.all(db)`tenant_id = ${tenantId} AND enabled = 1 AND authenticatable = 1
    ORDER BY provider_key LIMIT ${customProvidersMax}`

/** Those whose tokens are kept. */
export const selectCustomTokenProviders = (db: Reader, tenantId: TenantId) =>
  customProviders.all(db)`tenant_id = ${tenantId} AND enabled = 1 AND keep_tokens = 1
    ORDER BY provider_key LIMIT ${customProvidersMax}`

export const selectCustomProviderByKey = (db: Reader, tenantId: TenantId, key: string) =>
  customProviders.first(db)`tenant_id = ${tenantId} AND provider_key = ${key}`

/** Creations wait for each other here, so that none counts too few. */
export const lockTenantOfProviders = (tenantId: TenantId) =>
  sql`UPDATE tenants SET updated_at = updated_at WHERE id = ${tenantId}`
