// What users have allowed applications, for those who run the tenant.
import type { Grant } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { getUserRow } from '../../identity/users/find-user.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { countNarrowed } from '../../platform/http/lists/list-filter.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { getApplication } from '../applications/applications.ts'
import { grantEventData } from './grant-records.ts'
import { grants } from './tables.ts'

type Row = RowOf<typeof grants>

export const presentGrant = (row: Row): Grant => ({
  id: row.id,
  tenantId: row.tenant_id,
  userId: row.user_id,
  applicationId: row.application_id,
  organizationId: row.organization_id,
  scopes: [...fromJson(row.scopes)],
  resources: Object.entries(fromJson(row.resource_scopes)).map(([indicator, scopes]) => ({
    indicator,
    scopes: [...scopes],
  })),
  lastUsedAt: row.last_used_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

async function pageOf({ db }: Deps, source: ReturnType<typeof grants.source>, query: PageQuery) {
  const request = pageRequest(query)
  const { page, total } = await selectPageAndTotal(db, source, countNarrowed(source), request)
  return pageEnvelope(page, page.rows.map(presentGrant), total, request.perPage)
}

/** @throws ApiError not_found */
export async function listApplicationGrants(deps: Deps, tenantId: TenantId, id: string, query: PageQuery) {
  await getApplication(deps, tenantId, id)
  return pageOf(deps, grants.source(sql`tenant_id = ${tenantId} AND application_id = ${id}`), query)
}

/** @throws ApiError not_found */
export async function listUserGrants(deps: Deps, tenantId: TenantId, userId: string, query: PageQuery) {
  const user = await getUserRow(deps.db, tenantId, userId)
  return pageOf(deps, grants.source(sql`tenant_id = ${tenantId} AND user_id = ${user.id}`), query)
}

/**
 * Withdraws the access: the grant is deleted with all refresh tokens and opaque access tokens that were issued for it.
 * @throws ApiError not_found
 */
export async function deleteGrant(deps: Deps, tenantId: TenantId, id: string, actor: Actor): Promise<Grant> {
  const { db, clock, personal } = deps
  return db.transaction(async (tx) => {
    const row = await grants.lock(tx, tenantId, id)
    if (row === undefined) throw notFound()
    await tx.run(grants.delete(tenantId, id))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'grant.deleted',
        actor,
        subjectId: id,
        data: { before: grantEventData(row) },
      }),
    )
    return presentGrant(row)
  })
}
