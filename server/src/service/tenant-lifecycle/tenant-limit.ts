// Limits how many tenants one console user may have created. Every tenant uses resources of the deployment and sends mail through its
// channel.
import type { Deps } from '../../identity/deps.ts'
import { lockUser } from '../../identity/users/find-user.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { hasCreatedTenants } from '../../tenancy/tenants/tenants.ts'

/**
 * Makes sure that there may be one more tenant that the console user has created. The user is held until the transaction ends, so that
 * tenants that are created or restored at once, on whatever node, are counted one after the other.
 * @throws ApiError tenant_limit_reached
 */
export async function checkTenantLimit(
  { config }: Pick<Deps, 'config'>,
  tx: Transaction,
  consoleTenantId: TenantId,
  creatorId: string,
): Promise<void> {
  const { tenantsPerUserMax: max } = config
  if (max === 0) return
  await lockUser(tx, consoleTenantId, creatorId)
  if (!(await hasCreatedTenants(tx, creatorId, max))) return
  throw new ApiError('tenant_limit_reached', {
    detail: `You can have created at most ${max} tenants. Delete one, or ask the operator.`,
  })
}
