import type { Static } from 'typebox'
import {
  anyJson,
  array,
  id,
  integer,
  metaJson,
  nullableNumber,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../../schema.ts'
import { Type } from '../../type.ts'
import { changeTypes } from '../statistic.ts'

export const imageMimes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/svg+xml'] as const
export type ImageMime = (typeof imageMimes)[number]

export const accesses = ['public', 'private'] as const
export type Access = (typeof accesses)[number]

export const uploadBytesMax = 20 * 1024 * 1024

const deletedAt = () => nullableTimestamp({ description: 'Always null, because deleted records are not found' })

const uploadProperties = {
  id: text(),
  tenantId: text(),
  path: nullableText(),
  access: oneOf(accesses),
  originalFilename: nullableText(),
  mime: nullableText(),
  size: nullableNumber({ description: 'The announced size in bytes' }),
  meta: anyJson(),
  finishedAt: nullableTimestamp({ description: 'When the upload became a file with the same id' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  deletedAt: deletedAt(),
}

/** A file that is being sent. */
export const Upload = object(uploadProperties)
export type Upload = Static<typeof Upload>

/** A new upload with the address to which its bytes are sent. */
export const UploadWithUrl = object({
  ...uploadProperties,
  uploadUrl: text({
    description:
      'The URL that accepts the bytes, once and within an hour: as the body of a PUT if `fields` is empty, otherwise as `file`, the last field of a multipart POST that begins with `fields`',
  }),
  fields: Type.Unsafe<Readonly<Record<string, string>>>({ type: 'object', additionalProperties: { type: 'string' } }),
})
export type UploadWithUrl = Static<typeof UploadWithUrl>

/** The size, the type and the name of a file that will be sent. */
export const CreateUpload = object({
  tenantId: id(),
  path: optional(
    text({
      format: 'media-path',
      maxLength: 512,
      description: 'A path of your choice, such as team/logos; it is only a label',
    }),
  ),
  access: oneOf(accesses),
  originalFilename: text({ format: 'file-name', maxLength: 255 }),
  mime: oneOf(imageMimes),
  size: integer({
    minimum: 1,
    maximum: uploadBytesMax,
    description: 'The exact size of the file in bytes; at most 2 MiB for SVG',
  }),
  meta: optional(metaJson()),
  transformations: optional(
    array(text({ minLength: 1, maxLength: 64, format: 'text' }), {
      maxItems: 10,
      uniqueItems: true,
      description:
        'The names of transformations of the tenant whose images are created as soon as the file is complete; with the format `auto`, in every possible format',
    }),
  ),
})
export type CreateUpload = Static<typeof CreateUpload>

/** A stored file. */
export const File = object({
  id: text(),
  tenantId: text(),
  originalFilename: nullableText(),
  path: text({ description: 'The path of the upload, or its file name' }),
  description: nullableText(),
  mime: nullableText(),
  size: nullableNumber({ description: 'The stored size in bytes; for SVG, after sanitising' }),
  width: nullableNumber({ description: 'In pixels; null for an SVG without a size' }),
  height: nullableNumber(),
  duration: nullableNumber(),
  transformationId: nullableText(),
  meta: anyJson(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  deletedAt: deletedAt(),
})
export type File = Static<typeof File>

/** In which form a file is shown, and for how long its URL is valid. */
export const SignFile = object({
  transformation: optional(
    text({ minLength: 1, maxLength: 64, format: 'text', description: 'The name of a transformation' }),
  ),
  expiresIn: optional(
    integer({ minimum: 1, maximum: 604_800, description: 'How long the URL is valid, in seconds. Default: 600' }),
  ),
})
export type SignFile = Static<typeof SignFile>

/** The URL of a file that is valid for a while. */
export const SignedFile = object({
  url: text({ description: 'Shows the image to everyone who has this URL, until it expires' }),
  expiresAt: timestamp(),
})
export type SignedFile = Static<typeof SignedFile>

export const mediaStatisticNames = ['Total Files', 'Total Bytes', 'Files Uploaded', 'Bytes Uploaded'] as const

/** One number about the files of a tenant, and how it has changed. */
export const MediaStatistic = object({
  name: oneOf(mediaStatisticNames),
  value: integer({ description: 'The present number; for uploads, those of the last 30 days, including today' }),
  change: integer({ description: 'The value minus that of 30 days ago' }),
  changeType: oneOf(changeTypes),
})
export type MediaStatistic = Static<typeof MediaStatistic>
