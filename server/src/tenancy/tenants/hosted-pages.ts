// Where the hosted pages of a tenant are.
import type { Config } from '../../platform/config.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from './tenant-directory.ts'

export type HostedPlace = Pick<Config, 'baseUrl' | 'env'>

const loopbackAddress = /^(?:127\.0\.0\.1|\[::1\])$/

/** Browsers take no address for the domain of a passkey: on this machine the pages are called by its name. */
export function hostedOrigin({ baseUrl, env }: HostedPlace): string {
  const url = new URL(baseUrl)
  if (env === 'development' && loopbackAddress.test(url.hostname)) url.hostname = 'localhost'
  return url.origin
}

/** The same for a tenant of which only the id is at hand. */
export const hostedRootOfId = (config: HostedPlace, tenantId: TenantId) => `${hostedOrigin(config)}/t/${tenantId}`

/** What all paths of a tenant's pages begin with on the deployment's address. */
export const hostedPath = ({ row }: TenantEntry) => `/t/${row.slug}`

/**
 * What all addresses of a tenant's pages begin with.
 * @param ownHost the tenant's own domain that a browser has come to; null where there is none. A domain that is verified need not lead
 * here, but one that a browser has come by does.
 */
export const hostedRoot = (config: HostedPlace, tenant: TenantEntry, ownHost: string | null = null): string =>
  ownHost === null ? hostedOrigin(config) + hostedPath(tenant) : `https://${ownHost}`

/** The pages that a flow may come back to: each checks for itself what its query names. */
const returns: ReadonlySet<string> = new Set([
  '/return',
  '/sign-in',
  '/sign-in/link',
  '/sign-up',
  '/sign-up/link',
  '/invitation',
])
/** All pages of the account and of organizations: opening one changes nothing. */
const pagesOfAreas = /^\/(?:account|organizations)(?:\/[\w-]+){0,3}$/

/** Whether an address is one of the console, whose users sign in on the pages of the console's own tenant. */
function isConsole(config: HostedPlace, { row }: TenantEntry, address: string): boolean {
  if (row.kind !== 'console') return false
  const { origin, pathname } = new URL(address)
  return origin === hostedOrigin(config) && (pathname === '/console' || pathname.startsWith('/console/'))
}

/** Whether an address is a page of the tenant's that a flow may come back to, whatever its query. */
export function isHostedPage(
  config: HostedPlace,
  tenant: TenantEntry,
  ownHost: string | null,
  address: string,
): boolean {
  if (isConsole(config, tenant, address)) return true
  const root = hostedRoot(config, tenant, ownHost)
  if (!address.startsWith(`${root}/`)) return false
  const { origin, pathname } = new URL(address)
  const whole = origin + pathname
  if (!whole.startsWith(`${root}/`)) return false
  const path = whole.slice(root.length)
  return returns.has(path) || pagesOfAreas.test(path)
}
