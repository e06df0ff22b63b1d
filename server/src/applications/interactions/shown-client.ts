// An application as it is shown to users, whether the tenant has registered it or it describes itself in a document.
import type { Authorization } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { Config } from '../../platform/config.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-directory.ts'
import { type ApplicationRow, findApplicationOfClient } from '../applications/application-records.ts'
import { logoUriOf } from '../applications/present.ts'
import { nameOfSelfDescribed } from '../applications/self-described.ts'

type ShownClient = Authorization['application']

function hostOf(address: unknown): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null
  const { protocol, host } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' ? host : protocol
}

export const shownApplication = (
  config: Pick<Config, 'baseUrl'>,
  row: ApplicationRow,
  redirectUri?: unknown,
): ShownClient => ({
  clientId: row.client_id,
  name: row.name,
  type: row.type,
  logoUri: logoUriOf(config, row),
  termsUri: row.terms_uri,
  policyUri: row.policy_uri,
  host: row.origin === 'document' ? hostOf(row.client_id) : hostOf(redirectUri),
  isTrusted: row.origin === 'manual',
})

/** @throws ApiError not_found */
export async function shownClient(
  deps: Deps,
  tenant: TenantEntry,
  clientId: string,
  redirectUri: unknown,
): Promise<ShownClient> {
  const record = await findApplicationOfClient(deps.db, tenant, clientId)
  if (record !== undefined) return shownApplication(deps.config, record.row, redirectUri)
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
    host: hostOf(clientId),
    isTrusted: false,
  }
}
