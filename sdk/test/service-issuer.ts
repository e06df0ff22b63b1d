// The real service as the issuer: its frontend interface over a socket, under its configured address.
import type { Fetch } from '@bailiwick/sdk'
import type { BailiwickAuthOptions } from '@bailiwick/sdk/server'
import { issuerOf } from '../../server/src/identity/session-tokens/session-jwt.ts'
import type { TenantId } from '../../server/src/platform/ids.ts'
import { getTenant } from '../../server/src/tenancy/tenants/tenants.ts'
import type { TestService } from '../../server/test/harness/service.ts'

export interface ServiceIssuer {
  readonly options: BailiwickAuthOptions & { readonly frontendApiUrl: string; readonly publicKey: string }
  /** The paths of the requests that the service got, in order. */
  readonly requests: string[]
}

/** Returns the options for the server side of an app of the tenant, and the requests that it makes to the service. */
export async function serviceIssuer(
  { deps }: TestService,
  origin: string,
  tenant: { readonly id: string; readonly publicKey: string },
): Promise<ServiceIssuer> {
  const frontendApiUrl = issuerOf(deps, await getTenant(deps, tenant.id as TenantId))
  const requests: string[] = []
  const send: Fetch = async (url, init) => {
    const { pathname, search } = new URL(url)
    requests.push(pathname.replace('/frontend/api/v0', ''))
    return fetch(`${origin}${pathname}${search}`, init)
  }
  return { options: { frontendApiUrl, publicKey: tenant.publicKey, tenantId: tenant.id, fetch: send }, requests }
}
