import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'

/** Tables of the same columns. */
export type VersionsTable = 'auth_configurations' | 'brand_versions' | 'pages_versions'

export interface VersionRow {
  readonly version: number
  readonly actor_type: string
  readonly actor_id: string | null
  readonly created_at: Timestamp
}

export const versionSource = (table: VersionsTable, tenantId: TenantId) => ({
  columns: sql`version, actor_type, actor_id, created_at`,
  table: sql.identifier(table),
  where: sql`tenant_id = ${tenantId}`,
})

export const selectDocument = (db: Reader, table: VersionsTable, tenantId: TenantId, version: number) =>
  db.first<{ document: string }>(sql`SELECT document FROM ${sql.identifier(table)}
    WHERE tenant_id = ${tenantId} AND version = ${version}`)

export const insertVersion = (
  table: VersionsTable,
  tenantId: TenantId,
  version: number,
  document: string,
  actor: { readonly type: string; readonly id: string | null },
  at: Timestamp,
): Statement => sql`INSERT INTO ${sql.identifier(table)} (tenant_id, version, document, actor_type, actor_id, created_at)
  VALUES (${tenantId}, ${version}, ${document}, ${actor.type}, ${actor.id}, ${at})`
