import type { Timestamp } from '../platform/clock.ts'
import { hashToken, tenantInToken } from '../platform/crypto/tokens.ts'
import type { Reader } from '../platform/db/database.ts'
import { type Statement, sql } from '../platform/db/sql.ts'
import type { RowOf } from '../platform/db/table.ts'
import type { TenantId } from '../platform/ids.ts'
import type { StorageKey } from './storage/storage.ts'
import { mediaFiles, mediaUploads } from './tables.ts'

export type UploadRow = RowOf<typeof mediaUploads>
export type FileRow = RowOf<typeof mediaFiles>

/** The columns that showing a file needs. */
const shownFiles = mediaFiles.only(
  'tenant_id',
  'id',
  'access',
  'mime',
  'width',
  'height',
  'frames',
  'storage_key',
  'sha256',
)
export type ShownFileRow = RowOf<typeof shownFiles>

export const uploadSource = mediaUploads.sourceOf
export const selectUpload = mediaUploads.byKey
export const selectUploadForUpdate = mediaUploads.lock
export const insertUpload = mediaUploads.insert
export const deleteUpload = mediaUploads.delete

export const fileSource = mediaFiles.sourceOf
export const selectFile = mediaFiles.byKey
export const insertFile = mediaFiles.insert
export const deleteFile = mediaFiles.delete

export const selectShownFile = (db: Reader, tenantId: TenantId, id: string) =>
  shownFiles.first(db)`tenant_id = ${tenantId} AND id = ${id}`

/**
 * Locks the tenant's row until the transaction ends, so that what the tenant shows does not change and its limits hold for any number of
 * simultaneous uploads. Rows that refer to the tenant can still be written.
 */
export const selectTenantForNoKeyUpdate = (db: Reader, tenantId: TenantId) =>
  db.first<{ id: TenantId }>(
    sql`SELECT id FROM tenants WHERE id = ${tenantId} AND deleted_at IS NULL${sql.forNoKeyUpdate}`,
  )

/** The token alone identifies the upload, because nobody can find the hash of 256 random bits. */
export const selectUploadByToken = (db: Reader, id: string, token: string) => {
  const tenantId = tenantInToken(token)
  const ofTenant = tenantId === undefined ? sql`` : sql`AND tenant_id = ${tenantId}`
  return mediaUploads.first(db)`id = ${id} AND token_hash = ${hashToken(token)} ${ofTenant}`
}

/** An upload that a sender has claimed. */
export type ClaimedUpload = UploadRow & { readonly claim: string; readonly storage_key: StorageKey }

const setClaim = mediaUploads.set('claim', 'claimed_until', 'storage_key', 'updated_at')

export const updateClaim = mediaUploads.update('claim', 'claimed_until', 'storage_key', 'updated_at')

/** Changes no row if the upload has ever been claimed, is finished, or has expired. */
export const updateClaimOfUntouched = (row: ClaimedUpload): Statement =>
  sql`${setClaim(row)} WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND claim IS NULL AND storage_key IS NULL
    AND finished_at IS NULL AND expires_at > ${row.updated_at}`

/** Releases the upload. Changes no row if another sender has it by now, as does the next statement. */
export const updateReleased = (row: ClaimedUpload, storageKey: StorageKey | null, now: Timestamp): Statement =>
  sql`UPDATE media_uploads SET claim = NULL, claimed_until = NULL, storage_key = ${storageKey}, updated_at = ${now}
    WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND claim = ${row.claim}`

export const updateFinished = (row: ClaimedUpload, now: Timestamp): Statement =>
  sql`UPDATE media_uploads SET claim = NULL, claimed_until = NULL, finished_at = ${now}, updated_at = ${now}
    WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND claim = ${row.claim}`

/** Unfinished uploads that have expired and that nobody is sending. */
export const selectExpiredUploads = (db: Reader, now: Timestamp, limit: number) =>
  db.all<Pick<UploadRow, 'tenant_id' | 'id'>>(sql`SELECT tenant_id, id FROM media_uploads
    WHERE finished_at IS NULL AND expires_at <= ${now} AND (claimed_until IS NULL OR claimed_until <= ${now})
    ORDER BY expires_at LIMIT ${limit}`)

/** Whether the file is shown as the tenant's icon, one of its logos, a user's picture, or the logo of a provider or an application. */
export const selectIsShown = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<{
    id: string
  }>(sql`SELECT id FROM tenants WHERE id = ${tenantId} AND (icon_id = ${id} OR logo_id = ${id} OR dark_logo_id = ${id})
    UNION ALL SELECT id FROM users WHERE tenant_id = ${tenantId} AND picture_id = ${id}
    UNION ALL SELECT id FROM custom_providers WHERE tenant_id = ${tenantId} AND logo_id = ${id}
    UNION ALL SELECT id FROM applications WHERE tenant_id = ${tenantId} AND logo_id = ${id} LIMIT 1`)
