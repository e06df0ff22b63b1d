import { type Access, CreateUpload, type ImageMime, isFileName, isMediaPath, mediaPathRule } from '@bailiwick/contract'
import { type ColumnRule, aHash, anId, anything, fieldsOf, matching, shortText } from '../platform/db/accepted.ts'
import { id, integer, json, many, record, text, time } from '../platform/db/columns.ts'
import { sql } from '../platform/db/sql.ts'
import { table } from '../platform/db/table.ts'
import type { Actor } from '../platform/http/credentials/principal.ts'
import type { FileId, TenantId } from '../platform/ids.ts'
import { fileBytesCounter, filesCounter, keptBytesCounter, pendingBytesCounter, uploadsCounter } from './counts.ts'
import type { StorageKey } from './storage/storage.ts'

const media = {
  ...record<FileId>(),
  access: text<Access>(),
  original_filename: text().nullable(),
  mime: text<ImageMime>(),
  size: integer(),
  meta: json(),
}

const storageKey = anything('an import refuses a key outside of the folder of the tenant')

/** The upload's path, or its file name. */
const path: ColumnRule = {
  rule: mediaPathRule,
  test: (value) => typeof value === 'string' && value.length <= 512 && (isMediaPath(value) || isFileName(value)),
}

export const mediaFiles = table(
  'media_files',
  {
    ...media,
    path: text(),
    ...many(text().nullable(), 'description', 'transformation_id'),
    ...many(integer().nullable(), 'width', 'height', 'duration'),
    frames: integer(),
    storage_key: text<StorageKey>(),
    /** In hexadecimal, of the stored bytes. */
    sha256: text(),
  },
  {
    counted: [{ counter: filesCounter }, { counter: fileBytesCounter, sumOf: 'size' }],
    accepts: {
      ...fieldsOf(CreateUpload),
      path,
      description: shortText,
      transformation_id: anId,
      storage_key: storageKey,
      sha256: aHash,
    },
  },
)

export const mediaKeptImages = table(
  'media_kept_images',
  {
    tenant_id: id<TenantId>(),
    file_id: text(),
    storage_key: text<StorageKey>(),
    size: integer(),
    ...many(time(), 'used_at', 'created_at'),
  },
  {
    key: ['tenant_id', 'file_id', 'storage_key'],
    counted: [{ counter: keptBytesCounter, sumOf: 'size' }],
    notExported: 'they are made anew of their files',
  },
)

export const mediaUploads = table(
  'media_uploads',
  {
    ...media,
    ...many(text().nullable(), 'path', 'actor_id'),
    /** Null once the upload's address accepts nothing any more. */
    token_hash: text().nullable(),
    expires_at: time(),
    /** The sender that has claimed the upload, its deadline, and where the bytes are stored. */
    claim: text().nullable(),
    ...many(time().nullable(), 'claimed_until', 'finished_at'),
    storage_key: text<StorageKey>().nullable(),
    /** Where the storage accepts bytes directly from clients, before anybody has checked them. */
    direct_key: text<StorageKey>().nullable(),
    /** The names of transformations to apply as soon as it is a file. */
    transformations: json<string[]>().nullable(),
    actor_type: text<Actor['type']>(),
  },
  {
    counted: [
      { counter: uploadsCounter },
      { where: sql`finished_at IS NULL`, counter: pendingBytesCounter, sumOf: 'size' },
    ],
    accepts: {
      ...fieldsOf(CreateUpload),
      actor_type: matching(/^[a-z_]{1,32}$/, 'must be a kind of actor'),
      actor_id: anything('nothing reads it once the upload is finished'),
      token_hash: anything('a finished upload accepts nothing'),
      claim: anything('a finished upload has no sender any more'),
      storage_key: storageKey,
      direct_key: anything('an import removes it'),
    },
    // An unfinished upload expires within the hour.
    isExported: (row) => row['finished_at'] !== null,
  },
)
