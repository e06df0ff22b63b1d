import type { Reader } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { transformations } from './tables.ts'

export type TransformationRow = RowOf<typeof transformations>

export const transformationSource = transformations.sourceOf
export const selectTransformation = transformations.byKey
export const selectTransformationForUpdate = transformations.lock
export const insertTransformation = transformations.insert
export const deleteTransformation = transformations.delete
export const updateTransformation = transformations.rewrite

export const selectTransformationByName = (db: Reader, tenantId: TenantId, name: string) =>
  transformations.first(db)`tenant_id = ${tenantId} AND name = ${name}`
