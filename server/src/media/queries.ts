import type { Access, ImageMime } from '@bailiwick/contract'
import type { Timestamp } from '../platform/clock.ts'
import type { Reader } from '../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../platform/db/sql.ts'
import type { Actor } from '../platform/http/principal.ts'
import type { FileId, TenantId } from '../platform/ids.ts'
import type { StorageKey } from './storage/storage.ts'

export interface UploadRow {
  readonly tenant_id: TenantId
  readonly id: FileId
  readonly path: string | null
  readonly access: Access
  readonly original_filename: string | null
  readonly mime: ImageMime
  readonly size: number
  readonly meta: string
  readonly token_hash: string | null
  readonly expires_at: Timestamp
  readonly claim: string | null
  readonly claimed_until: Timestamp | null
  readonly storage_key: StorageKey | null
  readonly direct_key: StorageKey | null
  /** Names, as JSON, of what is to be made of it as soon as it is a file. */
  readonly transformations: string | null
  readonly actor_type: Actor['type']
  readonly actor_id: string | null
  readonly finished_at: Timestamp | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface FileRow {
  readonly tenant_id: TenantId
  readonly id: FileId
  readonly path: string
  readonly access: Access
  readonly original_filename: string | null
  readonly description: string | null
  readonly mime: ImageMime
  readonly size: number
  readonly width: number | null
  readonly height: number | null
  readonly frames: number
  readonly duration: number | null
  readonly transformation_id: string | null
  readonly meta: string
  readonly storage_key: StorageKey
  /** In hexadecimal, of the bytes that are kept. */
  readonly sha256: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/** What showing a file takes. */
export type ShownFileRow = Pick<
  FileRow,
  'tenant_id' | 'id' | 'access' | 'mime' | 'width' | 'height' | 'frames' | 'storage_key' | 'sha256'
>

const uploadColumns: Fragment = sql`tenant_id, id, path, access, original_filename, mime, size, meta, token_hash,
  expires_at, claim, claimed_until, storage_key, direct_key, transformations, actor_type, actor_id, finished_at, created_at, updated_at`
const fileColumns: Fragment = sql`tenant_id, id, path, access, original_filename, description, mime, size, width, height,
  frames, duration, transformation_id, meta, storage_key, sha256, created_at, updated_at`

export const uploadSource = (tenantId: TenantId) => ({
  columns: uploadColumns,
  table: sql`media_uploads`,
  where: sql`tenant_id = ${tenantId}`,
})

export const fileSource = (tenantId: TenantId) => ({
  columns: fileColumns,
  table: sql`media_files`,
  where: sql`tenant_id = ${tenantId}`,
})

/** What changes how much a tenant has waits for this row, so that its limits hold however many come at once. */
export const lockTenant = (db: Reader, tenantId: TenantId) =>
  db.first<{ id: TenantId }>(
    sql`SELECT id FROM tenants WHERE id = ${tenantId} AND deleted_at IS NULL${sql.forNoKeyUpdate}`,
  )

export const selectUpload = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<UploadRow>(sql`SELECT ${uploadColumns} FROM media_uploads WHERE tenant_id = ${tenantId} AND id = ${id}`)

export const selectUploadForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<UploadRow>(
    sql`SELECT ${uploadColumns} FROM media_uploads WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

/** Whose address it is says the token alone; the hash of 256 random bits is met by nobody else's. */
export const selectUploadByToken = (db: Reader, id: string, tokenHash: string) =>
  db.first<UploadRow>(sql`SELECT ${uploadColumns} FROM media_uploads WHERE id = ${id} AND token_hash = ${tokenHash}`)

export const insertUpload = (row: UploadRow): Statement => sql`INSERT INTO media_uploads (${uploadColumns})
  VALUES (${row.tenant_id}, ${row.id}, ${row.path}, ${row.access}, ${row.original_filename}, ${row.mime}, ${row.size},
    ${row.meta}, ${row.token_hash}, ${row.expires_at}, ${row.claim}, ${row.claimed_until}, ${row.storage_key},
    ${row.direct_key}, ${row.transformations}, ${row.actor_type}, ${row.actor_id}, ${row.finished_at}, ${row.created_at}, ${row.updated_at})`

/** An upload that somebody has claimed. */
export type ClaimedUpload = UploadRow & { readonly claim: string; readonly storage_key: StorageKey }

const setClaim = ({ claim, claimed_until, storage_key, updated_at }: ClaimedUpload): Fragment =>
  sql`UPDATE media_uploads SET claim = ${claim}, claimed_until = ${claimed_until}, storage_key = ${storage_key},
    updated_at = ${updated_at}`

export const updateClaim = (row: ClaimedUpload): Statement =>
  sql`${setClaim(row)} WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`

/** Changes no row where anybody has it, had it, or has finished it, and where it has expired. */
export const updateClaimOfUntouched = (row: ClaimedUpload): Statement =>
  sql`${setClaim(row)} WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND claim IS NULL AND storage_key IS NULL
    AND finished_at IS NULL AND expires_at > ${row.updated_at}`

/** Gives it back. Changes no row where it is somebody else's by now, as the next one. */
export const updateReleased = (row: ClaimedUpload, storageKey: StorageKey | null, now: Timestamp): Statement =>
  sql`UPDATE media_uploads SET claim = NULL, claimed_until = NULL, storage_key = ${storageKey}, updated_at = ${now}
    WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND claim = ${row.claim}`

export const updateFinished = (row: ClaimedUpload, now: Timestamp): Statement =>
  sql`UPDATE media_uploads SET claim = NULL, claimed_until = NULL, finished_at = ${now}, updated_at = ${now}
    WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND claim = ${row.claim}`

export const deleteUpload = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM media_uploads WHERE tenant_id = ${tenantId} AND id = ${id}`

/** Not finished in time, and nobody is sending. */
export const selectExpiredUploads = (db: Reader, now: Timestamp, limit: number) =>
  db.all<Pick<UploadRow, 'tenant_id' | 'id'>>(sql`SELECT tenant_id, id FROM media_uploads
    WHERE finished_at IS NULL AND expires_at <= ${now} AND (claimed_until IS NULL OR claimed_until <= ${now})
    ORDER BY expires_at LIMIT ${limit}`)

export const selectFile = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<FileRow>(sql`SELECT ${fileColumns} FROM media_files WHERE tenant_id = ${tenantId} AND id = ${id}`)

export const selectShownFile = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<ShownFileRow>(sql`SELECT tenant_id, id, access, mime, width, height, frames, storage_key, sha256
    FROM media_files WHERE tenant_id = ${tenantId} AND id = ${id}`)

export const insertFile = (row: FileRow): Statement => sql`INSERT INTO media_files (${fileColumns})
  VALUES (${row.tenant_id}, ${row.id}, ${row.path}, ${row.access}, ${row.original_filename}, ${row.description},
    ${row.mime}, ${row.size}, ${row.width}, ${row.height}, ${row.frames}, ${row.duration}, ${row.transformation_id},
    ${row.meta}, ${row.storage_key}, ${row.sha256}, ${row.created_at}, ${row.updated_at})`

export const deleteFile = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM media_files WHERE tenant_id = ${tenantId} AND id = ${id}`

/** Whether the file is shown as the tenant's icon, as one of its logos or as the picture of a user. */
export const selectIsShown = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<{
    id: string
  }>(sql`SELECT id FROM tenants WHERE id = ${tenantId} AND (icon_id = ${id} OR logo_id = ${id} OR dark_logo_id = ${id})
    UNION ALL SELECT id FROM users WHERE tenant_id = ${tenantId} AND picture_id = ${id} LIMIT 1`)
