// What applications call with their tokens. Each resource has an indicator, which tokens name as their audience, and scopes.
import type { CreateResource, Resource, UpdateResource } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addToCounters, readCounters, sumOfCounter } from '../../platform/db/counters.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { presentResource } from './present.ts'
import * as queries from './queries.ts'
import { isUsedByApplications } from './uses-of-resource.ts'

type Row = queries.ResourceRow

const counter = 'resources'

/** OpenID Connect gives these a meaning of their own. */
const takenScopes = ['openid', 'profile', 'email', 'phone', 'address', 'offline_access']

/** @throws ApiError validation_failed */
function scopesOf(scopes: NonNullable<UpdateResource['scopes']>) {
  const names = scopes.map(({ name }) => name)
  for (const [index, name] of names.entries()) {
    const path = `/scopes/${index}/name`
    if (names.indexOf(name) < index) throw invalid(path, 'duplicate', 'appears twice')
    if (takenScopes.includes(name)) throw invalid(path, 'reserved', 'is a scope of OpenID Connect')
  }
  return toJson(scopes.map(({ name, description = null }) => ({ name, description })))
}

function applied(row: Row, input: UpdateResource): Row {
  const { name, scopes, accessTokenFormat, accessTokenTtl } = input
  return {
    ...row,
    name: name ?? row.name,
    scopes: scopes === undefined ? row.scopes : scopesOf(scopes),
    access_token_format: accessTokenFormat === undefined ? row.access_token_format : accessTokenFormat,
    access_token_ttl: accessTokenTtl === undefined ? row.access_token_ttl : accessTokenTtl,
  }
}

function described(row: Row) {
  const { indicator, name, scopes, accessTokenFormat, accessTokenTtl } = presentResource(row)
  return { indicator, name, scopes: scopes.map((scope) => scope.name), accessTokenFormat, accessTokenTtl }
}

/** @throws ApiError not_found, resource_indicator_taken, resource_limit_reached, validation_failed */
export async function createResource(
  deps: Deps,
  tenantId: TenantId,
  input: Omit<CreateResource, 'tenantId'>,
  actor: Actor,
): Promise<Resource> {
  const tenant = await getTenant(deps, tenantId)
  if (input.indicator.startsWith('http:') && tenant.row.environment !== 'development') {
    throw invalid('/indicator', 'address_refused', 'must be an https URL; http is only for development tenants')
  }
  const { db, clock, personal, tenants } = deps
  return db.transaction(async (tx) => {
    await tx.run(queries.lockTenant(tenantId))
    const count = (await readCounters(tx, tenantId, [counter])).get(counter) ?? 0
    if (count >= queries.resourcesMax) throw new ApiError('resource_limit_reached')
    const at = clock.next()
    const empty: Row = {
      tenant_id: tenantId,
      id: newId<'ResourceId'>(),
      indicator: input.indicator,
      name: input.name,
      scopes: toJson([]),
      access_token_format: null,
      access_token_ttl: null,
      created_at: at,
      updated_at: at,
    }
    const row = applied(empty, input)
    await tx.run(queries.insertResource(row))
    await tx.run(addToCounters(tx, tenantId, { [counter]: 1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'resource.created',
        actor,
        subjectId: row.id,
        data: { after: described(row) },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return presentResource(row)
  })
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listResources(deps: Deps, tenantId: TenantId, query: PageQuery) {
  await getTenant(deps, tenantId)
  const { db } = deps
  const request = pageRequest(query)
  const { page, total } = await selectPageAndTotal(
    db,
    queries.resourceSource(tenantId),
    sumOfCounter(tenantId, counter),
    request,
  )
  return pageEnvelope(page, page.rows.map(presentResource), total, request.perPage)
}

/** @throws ApiError not_found */
export async function getResource({ db }: Deps, tenantId: TenantId, id: string): Promise<Resource> {
  const row = await queries.selectResource(db, tenantId, id)
  if (row === undefined) throw notFound()
  return presentResource(row)
}

/** @throws ApiError not_found, validation_failed */
export async function updateResource(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateResource,
  actor: Actor,
): Promise<Resource> {
  const { db, clock, personal, tenants } = deps
  return db.transaction(async (tx) => {
    const before = await queries.selectResourceForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    const after = { ...applied(before, input), updated_at: clock.now() }
    await tx.run(queries.updateResource(after))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'resource.updated',
        actor,
        subjectId: id,
        data: { before: described(before), after: described(after) },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return presentResource(after)
  })
}

/** @throws ApiError not_found, resource_in_use */
export async function deleteResource(deps: Deps, tenantId: TenantId, id: string, actor: Actor): Promise<Resource> {
  const { db, clock, personal, tenants } = deps
  return db.transaction(async (tx) => {
    await tx.run(queries.lockTenant(tenantId))
    const row = await queries.selectResourceForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    if (await isUsedByApplications(tx, tenantId, id)) throw new ApiError('resource_in_use')
    await tx.run(queries.deleteResource(tenantId, id))
    await tx.run(addToCounters(tx, tenantId, { [counter]: -1 }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'resource.deleted',
        actor,
        subjectId: id,
        data: { before: described(row) },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
    return presentResource(row)
  })
}
