import type { ChannelType } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { templates } from './tables.ts'

export type TemplateRow = RowOf<typeof templates>

export const templateSource = (tenantId: TenantId, type: ChannelType | undefined) =>
  type === undefined ? templates.sourceOf(tenantId) : templates.source(sql`tenant_id = ${tenantId} AND type = ${type}`)

export const selectTemplate = templates.byKey
export const selectTemplateForUpdate = templates.lock
export const insertTemplate = templates.insert
export const updateTemplate = templates.rewrite
export const deleteTemplate = templates.delete

export const selectTemplateByName = (db: Reader, tenantId: TenantId, name: string) =>
  templates.first(db)`tenant_id = ${tenantId} AND name = ${name}`

/** The oldest first. */
export const selectTemplates = (db: Reader, tenantId: TenantId, limit: number) =>
  templates.all(db)`tenant_id = ${tenantId} ORDER BY created_at LIMIT ${limit}`

/** The oldest first. */
export const selectTemplatesNamed = (db: Reader, tenantId: TenantId, idsOrNames: readonly string[], limit: number) =>
  templates.all(db)`tenant_id = ${tenantId} AND (id IN (${sql.list(idsOrNames)}) OR name IN (${sql.list(idsOrNames)}))
    ORDER BY created_at LIMIT ${limit}`

/** Returns the rows, locked until the transaction ends. */
export const selectTemplatesByNameForUpdate = (db: Reader, tenantId: TenantId, names: readonly string[]) =>
  templates.all(db)`tenant_id = ${tenantId} AND name IN (${sql.list(names)}) ORDER BY id${sql.forUpdate}`
