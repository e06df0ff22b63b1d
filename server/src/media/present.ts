import type { File, Upload } from '@bailiwick/contract'
import { fromJson } from '../platform/json-text.ts'
import type { FileRow, UploadRow } from './queries.ts'

export const presentUpload = (row: UploadRow): Upload => ({
  id: row.id,
  tenantId: row.tenant_id,
  path: row.path,
  access: row.access,
  originalFilename: row.original_filename,
  mime: row.mime,
  size: row.size,
  meta: fromJson(row.meta),
  finishedAt: row.finished_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  deletedAt: null,
})

export const presentFile = (row: FileRow): File => ({
  id: row.id,
  tenantId: row.tenant_id,
  originalFilename: row.original_filename,
  path: row.path,
  description: row.description,
  mime: row.mime,
  size: row.size,
  width: row.width,
  height: row.height,
  duration: row.duration,
  transformationId: row.transformation_id,
  meta: fromJson(row.meta),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  deletedAt: null,
})
