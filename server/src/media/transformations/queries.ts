import type { OutputFormat, ResizeMode } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { TenantId, TransformationId } from '../../platform/ids.ts'

export interface TransformationRow {
  readonly tenant_id: TenantId
  readonly id: TransformationId
  readonly name: string
  readonly description: string | null
  readonly output_format: OutputFormat
  readonly output_quality: number
  readonly output_compression: number
  readonly output_width: number
  readonly output_height: number
  readonly output_resize_mode: ResizeMode
  readonly steps: string
  readonly version: number
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

const columns: Fragment = sql`tenant_id, id, name, description, output_format, output_quality, output_compression,
  output_width, output_height, output_resize_mode, steps, version, created_at, updated_at`

export const transformationSource = (tenantId: TenantId) => ({
  columns,
  table: sql`transformations`,
  where: sql`tenant_id = ${tenantId}`,
})

export const selectTransformation = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<TransformationRow>(sql`SELECT ${columns} FROM transformations WHERE tenant_id = ${tenantId} AND id = ${id}`)

/** The row, held until the transaction ends. */
export const selectTransformationForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<TransformationRow>(
    sql`SELECT ${columns} FROM transformations WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

export const selectTransformationByName = (db: Reader, tenantId: TenantId, name: string) =>
  db.first<TransformationRow>(
    sql`SELECT ${columns} FROM transformations WHERE tenant_id = ${tenantId} AND name = ${name}`,
  )

export const insertTransformation = (row: TransformationRow): Statement => sql`INSERT INTO transformations
  (tenant_id, id, name, description, output_format, output_quality, output_compression, output_width, output_height,
   output_resize_mode, steps, version, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.name}, ${row.description}, ${row.output_format}, ${row.output_quality},
    ${row.output_compression}, ${row.output_width}, ${row.output_height}, ${row.output_resize_mode}, ${row.steps},
    ${row.version}, ${row.created_at}, ${row.updated_at})`

export const updateTransformation = (row: TransformationRow): Statement => sql`UPDATE transformations SET
  name = ${row.name}, description = ${row.description}, output_format = ${row.output_format},
  output_quality = ${row.output_quality}, output_compression = ${row.output_compression},
  output_width = ${row.output_width}, output_height = ${row.output_height},
  output_resize_mode = ${row.output_resize_mode}, steps = ${row.steps}, version = ${row.version},
  updated_at = ${row.updated_at} WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`

export const deleteTransformation = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM transformations WHERE tenant_id = ${tenantId} AND id = ${id}`
