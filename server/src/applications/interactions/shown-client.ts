// A client as users see it, whether the tenant has registered it or it describes itself in a document.
import type { Deps } from '../../identity/deps.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { findApplicationOfClient } from '../applications/application-records.ts'
import { nameOfSelfDescribed } from '../applications/self-described.ts'
import { type VisibleClient, hostOf, visibleApplication } from '../applications/visible-application.ts'

/** @throws ApiError not_found */
export async function shownClient(
  deps: Deps,
  tenant: TenantEntry,
  clientId: string,
  redirectUri: unknown,
): Promise<VisibleClient> {
  const record = await findApplicationOfClient(deps.db, tenant, clientId)
  if (record !== undefined) return visibleApplication(deps.config, record.row, redirectUri)
  const { findSelfDescribed } = await import('../engine/requests.ts')
  const client = await findSelfDescribed(deps, tenant, clientId)
  if (client === undefined) throw notFound()
  return {
    clientId,
    name: nameOfSelfDescribed(clientId, client.clientName),
    type: client.applicationType === 'native' ? 'native' : 'web',
    // A stranger's pictures and addresses are not shown as if they were the tenant's.
    logoUri: null,
    termsUri: client.tosUri ?? null,
    policyUri: client.policyUri ?? null,
    host: hostOf(redirectUri) ?? hostOf(clientId),
    isTrusted: false,
  }
}
