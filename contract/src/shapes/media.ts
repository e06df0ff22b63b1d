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
} from '../schema.ts'
import { Type } from '../type.ts'
import { changeTypes } from './statistic.ts'

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
  size: nullableNumber({ description: 'Bytes, as announced' }),
  meta: anyJson(),
  finishedAt: nullableTimestamp({ description: 'When it became a file with the same id' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  deletedAt: deletedAt(),
}

export const Upload = object(uploadProperties)
export type Upload = Static<typeof Upload>

export const UploadWithUrl = object({
  ...uploadProperties,
  uploadUrl: text({
    description:
      'Accepts the bytes once, within an hour: as the body of a PUT if `fields` is empty, or as `file`, the last field of a multipart POST that begins with `fields`',
  }),
  fields: Type.Unsafe<Readonly<Record<string, string>>>({ type: 'object', additionalProperties: { type: 'string' } }),
})
export type UploadWithUrl = Static<typeof UploadWithUrl>

export const CreateUpload = object({
  tenantId: id(),
  path: optional(
    text({ format: 'media-path', maxLength: 512, description: 'A path by which the tenant files it; only a label' }),
  ),
  access: oneOf(accesses),
  originalFilename: text({ format: 'file-name', maxLength: 255 }),
  mime: oneOf(imageMimes),
  size: integer({
    minimum: 1,
    maximum: uploadBytesMax,
    description: 'Exactly this many bytes must be sent; SVG at most 2 MiB',
  }),
  meta: optional(metaJson()),
  transformations: optional(
    array(text({ minLength: 1, maxLength: 64, format: 'text' }), {
      maxItems: 10,
      uniqueItems: true,
      description:
        'Names of transformations of the tenant: their images are made as soon as the file is complete, for `auto` in every possible format',
    }),
  ),
})
export type CreateUpload = Static<typeof CreateUpload>

export const File = object({
  id: text(),
  tenantId: text(),
  originalFilename: nullableText(),
  path: text({ description: "The upload's path, or its file name" }),
  description: nullableText(),
  mime: nullableText(),
  size: nullableNumber({ description: 'The stored bytes; for SVG, after sanitising' }),
  width: nullableNumber({ description: 'Pixels; null for SVG that names no size' }),
  height: nullableNumber(),
  duration: nullableNumber(),
  transformationId: nullableText(),
  meta: anyJson(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  deletedAt: deletedAt(),
})
export type File = Static<typeof File>

export const SignFile = object({
  transformation: optional(text({ minLength: 1, maxLength: 64, format: 'text', description: 'Its name' })),
  expiresIn: optional(integer({ minimum: 1, maximum: 604_800, description: 'Seconds; 600 by default' })),
})
export type SignFile = Static<typeof SignFile>

export const SignedFile = object({
  url: text({ description: 'Shows the image to anybody who has it, until it expires' }),
  expiresAt: timestamp(),
})
export type SignedFile = Static<typeof SignedFile>

export const mediaStatisticNames = ['Total Files', 'Total Bytes', 'Files Uploaded', 'Bytes Uploaded'] as const

export const MediaStatistic = object({
  name: oneOf(mediaStatisticNames),
  value: integer({ description: 'Now; of the uploaded ones, in the last 30 days, today included' }),
  change: integer({ description: 'The value minus that of 30 days ago' }),
  changeType: oneOf(changeTypes),
})
export type MediaStatistic = Static<typeof MediaStatistic>
