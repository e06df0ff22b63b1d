import type { ChannelType } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { TemplateId, TenantId } from '../../platform/ids.ts'

export interface TemplateRow {
  readonly tenant_id: TenantId
  readonly id: TemplateId
  readonly type: ChannelType
  readonly name: string
  readonly subject: string | null
  readonly body: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

const columns: Fragment = sql`tenant_id, id, type, name, subject, body, created_at, updated_at`

export const templateSource = (tenantId: TenantId, type: ChannelType | undefined) => ({
  columns,
  table: sql`templates`,
  where: type === undefined ? sql`tenant_id = ${tenantId}` : sql`tenant_id = ${tenantId} AND type = ${type}`,
})

export const selectTemplate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<TemplateRow>(sql`SELECT ${columns} FROM templates WHERE tenant_id = ${tenantId} AND id = ${id}`)

export const selectTemplateByName = (db: Reader, tenantId: TenantId, name: string) =>
  db.first<TemplateRow>(sql`SELECT ${columns} FROM templates WHERE tenant_id = ${tenantId} AND name = ${name}`)

/** The row, held until the transaction ends. */
export const selectTemplateForUpdate = (db: Reader, tenantId: TenantId, id: string) =>
  db.first<TemplateRow>(
    sql`SELECT ${columns} FROM templates WHERE tenant_id = ${tenantId} AND id = ${id}${sql.forUpdate}`,
  )

/** The oldest first. */
export const selectTemplates = (db: Reader, tenantId: TenantId, limit: number) =>
  db.all<TemplateRow>(
    sql`SELECT ${columns} FROM templates WHERE tenant_id = ${tenantId} ORDER BY created_at LIMIT ${limit}`,
  )

const oneOf = (values: readonly string[]) =>
  sql.join(
    values.map((value) => sql`${value}`),
    ', ',
  )

/** The oldest first. */
export const selectTemplatesNamed = (db: Reader, tenantId: TenantId, idsOrNames: readonly string[], limit: number) =>
  db.all<TemplateRow>(sql`SELECT ${columns} FROM templates
    WHERE tenant_id = ${tenantId} AND (id IN (${oneOf(idsOrNames)}) OR name IN (${oneOf(idsOrNames)}))
    ORDER BY created_at LIMIT ${limit}`)

/** The rows, held until the transaction ends. */
export const selectTemplatesByNameForUpdate = (db: Reader, tenantId: TenantId, names: readonly string[]) =>
  db.all<TemplateRow>(sql`SELECT ${columns} FROM templates
    WHERE tenant_id = ${tenantId} AND name IN (${oneOf(names)}) ORDER BY id${sql.forUpdate}`)

export const insertTemplate = (row: TemplateRow): Statement => sql`INSERT INTO templates
  (tenant_id, id, type, name, subject, body, created_at, updated_at)
  VALUES (${row.tenant_id}, ${row.id}, ${row.type}, ${row.name}, ${row.subject}, ${row.body}, ${row.created_at},
    ${row.updated_at})`

export const updateTemplate = (row: TemplateRow): Statement => sql`UPDATE templates SET
  name = ${row.name}, subject = ${row.subject}, body = ${row.body}, updated_at = ${row.updated_at}
  WHERE tenant_id = ${row.tenant_id} AND id = ${row.id}`

export const deleteTemplate = (tenantId: TenantId, id: string): Statement =>
  sql`DELETE FROM templates WHERE tenant_id = ${tenantId} AND id = ${id}`
