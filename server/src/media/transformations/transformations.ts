// Named image output settings of a tenant.
import type { Transformation, WriteTransformation } from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addToCounters, sumOfCounter } from '../../platform/db/counters.ts'
import { writeReturning } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import { type RecordBasis, assertUnchanged } from '../../platform/http/change-basis.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import * as queries from './queries.ts'

type Definition = Omit<WriteTransformation, 'tenantId'>

const presentTransformation = (row: queries.TransformationRow): Transformation => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  description: row.description,
  outputFormat: row.output_format,
  outputQuality: row.output_quality,
  outputCompression: row.output_compression,
  outputWidth: row.output_width,
  outputHeight: row.output_height,
  outputResizeMode: row.output_resize_mode,
  steps: fromJson(row.steps),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const defined = (input: Definition) => ({
  name: input.name,
  output_format: input.outputFormat,
  output_quality: input.outputQuality,
  output_compression: input.outputCompression,
  output_width: input.outputWidth,
  output_height: input.outputHeight,
  output_resize_mode: input.outputResizeMode,
  steps: toJson(input.steps),
})

/** Returns the definition of the transformation with that name, or undefined if the tenant has none. */
export async function findDefinition({ db }: Deps, tenantId: TenantId, name: string) {
  const row = await queries.selectTransformationByName(db, tenantId, name)
  if (row === undefined) return undefined
  const { outputFormat, outputQuality, outputCompression, outputWidth, outputHeight, outputResizeMode, steps } =
    presentTransformation(row)
  return {
    outputFormat,
    outputQuality,
    outputCompression,
    outputWidth,
    outputHeight,
    outputResizeMode,
    // It was checked against the contract when it was written.
    steps: steps as Definition['steps'],
  }
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listTransformations(deps: Deps, tenantId: TenantId, query: PageQuery) {
  await getTenant(deps, tenantId)
  const { db } = deps
  const request = pageRequest(query)
  const { page, total } = await selectPageAndTotal(
    db,
    queries.transformationSource(tenantId),
    sumOfCounter(tenantId, 'transformations'),
    request,
  )
  return pageEnvelope(page, page.rows.map(presentTransformation), total, request.perPage)
}

/** @throws ApiError transformation_name_taken; not_found for a tenant that does not exist. */
export async function createTransformation(deps: Deps, tenantId: TenantId, input: Definition, actor: Actor) {
  await getTenant(deps, tenantId)
  const { db, clock, personal } = deps
  const id = newId<'TransformationId'>()
  const row = await writeReturning(db, (context) => {
    const at = clock.next()
    const returns: queries.TransformationRow = {
      tenant_id: tenantId,
      id,
      description: input.description ?? null,
      ...defined(input),
      version: 1,
      created_at: at,
      updated_at: at,
    }
    const statements = [
      queries.insertTransformation(returns),
      addToCounters(context, tenantId, { transformations: 1 }),
      eventStatement(clock, personal, {
        tenantId,
        type: 'transformation.created',
        actor,
        subjectId: id,
        data: { after: presentTransformation(returns) },
      }),
    ]
    return { statements, returns }
  })
  return presentTransformation(row)
}

/** @throws ApiError not_found */
export async function getTransformation({ db }: Deps, tenantId: TenantId, id: string) {
  const row = await queries.selectTransformation(db, tenantId, id)
  if (row === undefined) throw notFound()
  return presentTransformation(row)
}

/**
 * Replaces the definition; an omitted description stays as it is.
 * @throws ApiError not_found, transformation_name_taken
 */
export async function updateTransformation(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: Definition,
  actor: Actor,
  basis: RecordBasis = {},
) {
  const { db, clock, personal, tenants } = deps
  return db.transaction(async (tx) => {
    const before = await queries.selectTransformationForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    assertUnchanged(before, basis)
    const after: queries.TransformationRow = {
      ...before,
      ...defined(input),
      description: input.description === undefined ? before.description : input.description,
      version: before.version + 1,
      updated_at: clock.now(),
    }
    await tx.run(queries.updateTransformation(after))
    // Images are shown with the definitions in memory.
    await invalidateTenant(tx, tenants, tenantId)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'transformation.updated',
        actor,
        subjectId: id,
        data: { before: presentTransformation(before), after: presentTransformation(after) },
      }),
    )
    return presentTransformation(after)
  })
}

/**
 * Deletes a transformation. Addresses of images refer to it by name, so they show nothing any more.
 * @throws ApiError not_found
 */
export async function deleteTransformation(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, clock, personal, tenants } = deps
  return db.transaction(async (tx) => {
    const row = await queries.selectTransformationForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    const before = presentTransformation(row)
    await tx.run(queries.deleteTransformation(tenantId, id))
    await invalidateTenant(tx, tenants, tenantId)
    await tx.run(addToCounters(tx, tenantId, { transformations: -1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'transformation.deleted',
        actor,
        subjectId: id,
        data: { before },
      }),
    )
    return before
  })
}
