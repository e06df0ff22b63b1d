// The addresses of a tenant's hosted pages.
import type { Config } from '../../platform/config.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from './tenant-entry.ts'

export type HostedPlace = Pick<Config, 'baseUrl' | 'env'>

const loopbackAddress = /^(?:127\.0\.0\.1|\[::1\])$/

/** Browsers refuse an IP address as the domain of a passkey, so the pages of a local service are called under localhost. */
export function hostedOrigin({ baseUrl, env }: HostedPlace): string {
  const url = new URL(baseUrl)
  if (env === 'development' && loopbackAddress.test(url.hostname)) url.hostname = 'localhost'
  return url.origin
}

/** Does the same for a tenant of which only the id is known. */
export const hostedRootOfId = (config: HostedPlace, tenantId: TenantId) => `${hostedOrigin(config)}/t/${tenantId}`

/** Returns the beginning of all paths of a tenant's pages on the deployment's address. */
export const hostedPath = ({ row }: TenantEntry) => `/t/${row.slug}`

/**
 * Returns the beginning of all addresses of a tenant's pages.
 * @param ownHost the tenant's own domain that a browser uses; null if there is none. A verified domain need not lead here, but one that a
 * browser has used does.
 */
export const hostedRoot = (config: HostedPlace, tenant: TenantEntry, ownHost: string | null = null): string =>
  ownHost === null ? hostedOrigin(config) + hostedPath(tenant) : `https://${ownHost}`

/** The pages to which a flow may return: each checks what its query names. */
const returns: ReadonlySet<string> = new Set([
  '/return',
  '/sign-in',
  '/sign-in/link',
  '/sign-up',
  '/sign-up/link',
  '/invitation',
  '/continue',
  '/consent',
  '/device',
])
/** All pages of the account and of organizations: opening one changes nothing. */
const pagesOfAreas = /^\/(?:account|organizations)(?:\/[\w-]+){0,3}$/

/** Whether an address is one of the console, whose users sign in on the pages of the console's own tenant. */
function isConsole(config: HostedPlace, { row }: TenantEntry, address: string): boolean {
  if (row.kind !== 'console') return false
  const { origin, pathname } = new URL(address)
  return origin === hostedOrigin(config) && (pathname === '/console' || pathname.startsWith('/console/'))
}

/** Returns whether an address is a page of the tenant to which a flow may return, whatever its query. */
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
