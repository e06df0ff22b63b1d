import type { Reader } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { mediaKeptImages } from '../tables.ts'

export type KeptImageRow = RowOf<typeof mediaKeptImages>

/** Locks the file against being deleted. */
export const selectFileForKeeping = (db: Reader, tenantId: TenantId, fileId: string) =>
  db.first<{ id: string }>(
    sql`SELECT id FROM media_files WHERE tenant_id = ${tenantId} AND id = ${fileId}${sql.forUpdate}`,
  )

/** Changes no row if the image is known already. */
export const insertKeptImage = (row: KeptImageRow): Statement =>
  sql`${mediaKeptImages.insert(row)} ON CONFLICT (tenant_id, file_id, storage_key) DO NOTHING`

export const updateUse = mediaKeptImages.update('used_at')

export const selectLeastUsed = (db: Reader, tenantId: TenantId, limit: number) =>
  mediaKeptImages.all(db)`tenant_id = ${tenantId} ORDER BY used_at LIMIT ${limit}`

export const deleteKeptImage = (row: KeptImageRow): Statement =>
  mediaKeptImages.delete(row.tenant_id, row.file_id, row.storage_key)

/** Selects the images of one file: a few for each transformation. */
export const selectKeptOfFile = (db: Reader, tenantId: TenantId, fileId: string) =>
  mediaKeptImages.all(db)`tenant_id = ${tenantId} AND file_id = ${fileId}${sql.forUpdate}`

export const deleteKeptOfFile = (tenantId: TenantId, fileId: string): Statement =>
  sql`DELETE FROM media_kept_images WHERE tenant_id = ${tenantId} AND file_id = ${fileId}`
