// What a directory asked for and what became of it, for 30 days. It contains ids and codes, but no values: those are of people.
import type { ScimLogEntry } from '@bailiwick/contract'
import { fromMs } from '../../platform/clock.ts'
import { removeExpired } from '../../platform/db/remove-expired.ts'
import { notFound } from '../../platform/http/api-error.ts'
import { countNarrowed } from '../../platform/http/lists/list-filter.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { findConnection } from '../connections/find-connection.ts'
import type { Deps } from '../deps.ts'
import type { ScimCall } from './http/scim-call.ts'
import * as queries from './queries.ts'

const keptMs = 30 * 24 * 60 * 60 * 1000
/** An id of ours; whatever else stands in an address may be of a person. */
const idPattern = /^[a-z0-9]{20,32}$/

const knownResources: ReadonlySet<string> = new Set(
  'Users Groups ServiceProviderConfig ResourceTypes Schemas .search Bulk Me'.split(' '),
)

/**
 * Does not wait for the disk: an entry may be missing after a power failure, what was changed may not.
 * @param reason why the request was refused.
 */
export async function record({ db, clock }: Deps, call: ScimCall, status: number, reason: string | null) {
  const { tenantId, connection } = call.entered
  const resourceId = call.answer?.resourceId ?? call.id
  const entry = () => {
    const at = clock.next()
    return queries.insertLog({
      tenant_id: tenantId,
      id: newId<'ScimLogId'>(),
      connection_id: connection.id,
      token_id: call.token?.id ?? null,
      method: call.request.method,
      resource: knownResources.has(call.resource) ? call.resource : '',
      resource_id: idPattern.test(resourceId) ? resourceId : null,
      status,
      reason,
      created_at: at,
      updated_at: at,
    })
  }
  await db.write(() => [entry()], { isProvisional: true })
}

const present = (row: queries.LogRow): ScimLogEntry => ({
  id: row.id,
  tenantId: row.tenant_id,
  connectionId: row.connection_id,
  tokenId: row.token_id,
  method: row.method,
  resource: row.resource,
  resourceId: row.resource_id,
  status: row.status,
  reason: row.reason,
  createdAt: row.created_at,
})

/** @throws ApiError not_found */
export async function listScimLog({ db }: Deps, tenantId: TenantId, connectionId: string, query: PageQuery) {
  const connection = await findConnection(db, tenantId, connectionId)
  if (connection === undefined) throw notFound()
  const request = pageRequest(query)
  const list = queries.logSource(tenantId, connection.id)
  const { page, total } = await selectPageAndTotal(db, list, countNarrowed(list), request)
  return pageEnvelope(page, page.rows.map(present), total, request.perPage)
}

/** Removes some entries that are too old; returns whether there are more. */
export const removeOldEntries = ({ db, clock }: Deps): Promise<boolean> =>
  removeExpired(db, [
    { table: 'scim_log', key: ['tenant_id', 'id'], column: 'created_at', before: fromMs(clock.nowMs() - keptMs) },
  ])
