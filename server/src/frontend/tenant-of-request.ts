// For which tenant a request of an end user is: that of the public key which it carries, else that of the verified domain which it
// was sent to.
import type { FastifyRequest } from 'fastify'
import { domainKey } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import type { TenantEntry } from '../tenants/tenant-directory.ts'

export interface TenantOfRequest {
  readonly tenant: TenantEntry
  /** Whether the request came to a domain of the tenant's own. */
  readonly isOwnDomain: boolean
}

const withoutPort = (host: string) => host.replace(/:\d{1,5}$/, '')

export const byHost = ({ tenants }: Deps, host: string) => tenants.byDomainKey(domainKey(withoutPort(host)))

/** Two keys, or a key of another tenant than the domain's, are none. */
export async function tenantOfRequest(
  deps: Deps,
  request: FastifyRequest,
  ownHost: string,
): Promise<TenantOfRequest | undefined> {
  const header = request.headers['x-public-key']
  const { publicKey: inQuery } = request.query as { publicKey?: unknown }
  const key = header ?? inQuery
  if (Array.isArray(key) || (header !== undefined && inQuery !== undefined && header !== inQuery)) return undefined
  const ofDomain = request.host.toLowerCase() === ownHost ? undefined : await byHost(deps, request.host)
  if (key === undefined) return ofDomain && { tenant: ofDomain, isOwnDomain: true }
  const tenant = typeof key === 'string' ? await deps.tenants.byPublicKey(key) : undefined
  if (tenant === undefined || (ofDomain !== undefined && ofDomain.row.id !== tenant.row.id)) return undefined
  return { tenant, isOwnDomain: ofDomain !== undefined }
}
