import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { StorageKey } from '../storage/storage.ts'

export interface KeptImageRow {
  readonly tenant_id: TenantId
  readonly file_id: string
  readonly storage_key: StorageKey
  readonly size: number
  readonly used_at: Timestamp
}

/** Holds the file against being deleted. */
export const selectFileForKeeping = (db: Reader, tenantId: TenantId, fileId: string) =>
  db.first<{ id: string }>(
    sql`SELECT id FROM media_files WHERE tenant_id = ${tenantId} AND id = ${fileId}${sql.forUpdate}`,
  )

/** Changes no row where it is known already. */
export const insertKeptImage = (row: KeptImageRow): Statement => sql`INSERT INTO media_kept_images
    (tenant_id, file_id, storage_key, size, used_at, created_at)
  VALUES (${row.tenant_id}, ${row.file_id}, ${row.storage_key}, ${row.size}, ${row.used_at}, ${row.used_at})
  ON CONFLICT (tenant_id, file_id, storage_key) DO NOTHING`

export const updateUse = (row: KeptImageRow): Statement => sql`UPDATE media_kept_images SET used_at = ${row.used_at}
  WHERE tenant_id = ${row.tenant_id} AND file_id = ${row.file_id} AND storage_key = ${row.storage_key}`

export const selectLeastUsed = (db: Reader, tenantId: TenantId, limit: number) =>
  db.all<KeptImageRow>(sql`SELECT tenant_id, file_id, storage_key, size, used_at FROM media_kept_images
    WHERE tenant_id = ${tenantId} ORDER BY used_at LIMIT ${limit}`)

export const deleteKeptImage = (row: KeptImageRow): Statement => sql`DELETE FROM media_kept_images
  WHERE tenant_id = ${row.tenant_id} AND file_id = ${row.file_id} AND storage_key = ${row.storage_key}`

/** Of one file: a few for each transformation. */
export const selectKeptOfFile = (db: Reader, tenantId: TenantId, fileId: string) =>
  db.all<{ size: number }>(
    sql`SELECT size FROM media_kept_images WHERE tenant_id = ${tenantId} AND file_id = ${fileId}${sql.forUpdate}`,
  )

export const deleteKeptOfFile = (tenantId: TenantId, fileId: string): Statement =>
  sql`DELETE FROM media_kept_images WHERE tenant_id = ${tenantId} AND file_id = ${fileId}`
