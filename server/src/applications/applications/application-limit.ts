// How many applications a tenant may have.
import { readCounters } from '../../platform/db/counters.ts'
import type { Reader } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { applicationsCounter as counter, applicationsMax } from './queries.ts'

/**
 * Called in a transaction that has locked the tenant, so that no other one adds an application meanwhile.
 * @throws ApiError application_limit_reached
 */
export async function assertRoom(tx: Reader, tenantId: TenantId) {
  const count = (await readCounters(tx, tenantId, [counter])).get(counter) ?? 0
  if (count >= applicationsMax) throw new ApiError('application_limit_reached')
}
