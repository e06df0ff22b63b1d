// Counts a tenant's media. An upload takes its announced size at once, so that an accepted upload always finds room.
import type { Timestamp } from '../platform/clock.ts'
import { readCounters } from '../platform/db/counters.ts'
import type { Reader } from '../platform/db/database.ts'
import { ApiError } from '../platform/http/api-error.ts'
import type { TenantId } from '../platform/ids.ts'
import { dayCounter } from '../platform/statistics/day-counters.ts'
import type { Deps } from './deps.ts'

/** Uploads, finished or not. Every file is one of them. */
export const uploadsCounter = 'media_uploads'
/** The announced bytes of unfinished uploads. */
export const pendingBytesCounter = 'media_pending_bytes'
export const filesCounter = 'media_files'
export const fileBytesCounter = 'media_file_bytes'
/** Bytes of images made from files. They do not count towards the quota, because they have a limit of their own. */
export const keptBytesCounter = 'media_kept_bytes'

/**
 * Checks the quota; the caller must hold the tenant's row.
 * @throws ApiError media_quota_exceeded
 */
export async function checkQuota(reader: Reader, { config }: Deps, tenantId: TenantId, size: number) {
  const counters = await readCounters(reader, tenantId, [uploadsCounter, pendingBytesCounter, fileBytesCounter])
  const files = (counters.get(uploadsCounter) ?? 0) + 1
  const bytes = (counters.get(pendingBytesCounter) ?? 0) + (counters.get(fileBytesCounter) ?? 0) + size
  if (files > config.media.filesMax || bytes > config.media.bytesMax) throw new ApiError('media_quota_exceeded')
}

export const announced = (size: number) => ({ [uploadsCounter]: 1, [pendingBytesCounter]: size })

export const arrived = (announcedSize: number, size: number, now: Timestamp) => ({
  [pendingBytesCounter]: -announcedSize,
  [filesCounter]: 1,
  [fileBytesCounter]: size,
  [dayCounter('files_created', now)]: 1,
  [dayCounter('file_bytes_created', now)]: size,
})

/** @param fileSize the size of the file that the upload has become, if it has. */
export function removed(announcedSize: number, fileSize: number | undefined, now: Timestamp): Record<string, number> {
  if (fileSize === undefined) return { [uploadsCounter]: -1, [pendingBytesCounter]: -announcedSize }
  return {
    [uploadsCounter]: -1,
    [filesCounter]: -1,
    [fileBytesCounter]: -fileSize,
    [dayCounter('files_deleted', now)]: 1,
    [dayCounter('file_bytes_deleted', now)]: fileSize,
  }
}
