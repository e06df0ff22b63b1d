// Finds the tenant that an end user's request is for: that of its public key, otherwise that of the verified domain that it was sent to.
import { domainKey } from '@bailiwick/contract'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../identity/deps.ts'
import { type MaybePromise, whenReady } from '../../platform/maybe-promise.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'

export interface TenantOfRequest {
  readonly tenant: TenantEntry
  /** Whether the request was sent to a domain of the tenant. */
  readonly isOwnDomain: boolean
}

const withoutPort = (host: string) => host.replace(/:\d{1,5}$/, '')

export const byHost = ({ tenants }: Deps, host: string) => tenants.byDomainKey(domainKey(withoutPort(host)))

/** Two keys, or a key of another tenant than the domain's, count as no key. */
export function tenantOfRequest(
  deps: Deps,
  request: FastifyRequest,
  ownHost: string,
): MaybePromise<TenantOfRequest | undefined> {
  const header = request.headers['x-public-key']
  const { publicKey: inQuery } = request.query as { publicKey?: unknown }
  const key = header ?? inQuery
  if (Array.isArray(key) || (header !== undefined && inQuery !== undefined && header !== inQuery)) return undefined
  const { host } = request
  const ofDomain = host === ownHost || host.toLowerCase() === ownHost ? undefined : byHost(deps, host)
  return whenReady(ofDomain, (owner) => {
    if (key === undefined) return owner && { tenant: owner, isOwnDomain: true }
    const ofKey = typeof key === 'string' ? deps.tenants.byPublicKey(key) : undefined
    return whenReady(ofKey, (tenant) => {
      if (tenant === undefined || (owner !== undefined && owner.row.id !== tenant.row.id)) return undefined
      return { tenant, isOwnDomain: owner !== undefined }
    })
  })
}
