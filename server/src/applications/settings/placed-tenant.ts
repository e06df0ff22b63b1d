// Finds the tenant and issuer of a request to the authorization server. The deployment's address names the tenant by its id in the path; a
// domain of a tenant identifies it by itself. An issuer is served only at its own place.
import type { FastifyRequest } from 'fastify'
import { byHost } from '../../flows/frontend/tenant-of-request.ts'
import type { Deps } from '../../identity/deps.ts'
import { notFound } from '../../platform/http/api-error.ts'
import { type MaybePromise, whenReady } from '../../platform/maybe-promise.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { type Issuer, issuerServedAt } from './issuer.ts'
import { type OAuthSettings, oauthSettingsOf } from './oauth-settings.ts'

export interface PlacedTenant {
  readonly tenant: TenantEntry
  readonly settings: OAuthSettings
  readonly issuer: Issuer
}

function placed(
  deps: Deps,
  tenant: TenantEntry | undefined,
  domain: string | null,
  host?: string,
): MaybePromise<PlacedTenant> {
  if (tenant === undefined) throw notFound()
  return whenReady(oauthSettingsOf(deps.db, tenant), (settings) => {
    const issuer = issuerServedAt(deps, tenant, settings, domain, host)
    if (issuer === undefined) throw notFound()
    return { tenant, settings, issuer }
  })
}

/** @throws ApiError not_found */
export function tenantByPath(deps: Deps, { params, host }: FastifyRequest): MaybePromise<PlacedTenant> {
  const { tenant: id } = params as { readonly tenant: string }
  // A slug can change, so it names no issuer.
  return whenReady(deps.tenants.byId(id), (tenant) =>
    placed(deps, tenant?.row.id === id ? tenant : undefined, null, host),
  )
}

/** @throws ApiError not_found */
export function tenantByDomain(deps: Deps, { host }: FastifyRequest): MaybePromise<PlacedTenant> {
  return whenReady(byHost(deps, host), (tenant) => {
    const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
    const domain = tenant?.domains.find((each) => each.name_key === name || each.name === name)
    return placed(deps, tenant, domain?.name ?? null)
  })
}
