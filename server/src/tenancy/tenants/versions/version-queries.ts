import type { Timestamp } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/database.ts'
import { type Statement, sql } from '../../../platform/db/sql.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { JsonText } from '../../../platform/json-text.ts'
import { attributesVersions, authConfigurations, brandVersions, claimsVersions, pagesVersions } from '../tables.ts'

const tables = {
  attributes_versions: attributesVersions,
  auth_configurations: authConfigurations,
  brand_versions: brandVersions,
  claims_versions: claimsVersions,
  pages_versions: pagesVersions,
} as const

const listed = {
  attributes_versions: attributesVersions.without('document'),
  auth_configurations: authConfigurations.without('document'),
  brand_versions: brandVersions.without('document'),
  claims_versions: claimsVersions.without('document'),
  pages_versions: pagesVersions.without('document'),
} as const

/** The tables have the same columns. */
export type VersionsTable = keyof typeof tables

export const versionSource = (table: VersionsTable, tenantId: TenantId) =>
  listed[table].source(sql`tenant_id = ${tenantId}`)

export const selectDocument = (db: Reader, table: VersionsTable, tenantId: TenantId, version: number) =>
  tables[table].byKey(db, tenantId, version)

export const insertVersion = (
  table: VersionsTable,
  tenantId: TenantId,
  version: number,
  document: JsonText<object>,
  { type, id }: { readonly type: string; readonly id: string | null },
  at: Timestamp,
): Statement => {
  // Each table has documents of its own kind, and the table was chosen for this one.
  const row = { tenant_id: tenantId, version, document: document as JsonText<never>, created_at: at }
  return tables[table].insert({ ...row, actor_type: type, actor_id: id })
}
