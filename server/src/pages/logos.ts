// The pictures of a tenant on its pages.
import type { Config } from '../platform/config.ts'
import { shownAddress } from '../tenancy/tenants/shown-address.ts'
import type { TenantEntry } from '../tenancy/tenants/tenant-entry.ts'
import { isAlwaysLight } from './assets.ts'
import type { PageCall } from './call/page-call.ts'

/** Returns the address of the logo for dark pages; null for a tenant that has none, or whose pages are never dark. */
export function darkLogoUri(config: Pick<Config, 'baseUrl'>, tenant: TenantEntry): string | null {
  const { id, dark_logo_id: fileId } = tenant.row
  return fileId === null || isAlwaysLight(tenant) ? null : shownAddress(config, id, 'darkLogoId', fileId)
}

/** Returns the origins that a tenant's logos and icon come from, and those of its own providers, beside the page's own. */
export function pictureOrigins(config: Pick<Config, 'baseUrl'>, tenant: TenantEntry): string[] {
  const { logo_uri: logo, icon_uri: icon } = tenant.row
  const addresses = [logo, icon, darkLogoUri(config, tenant), tenant.hasSocialProvider ? config.baseUrl : null].filter(
    (uri) => uri !== null,
  )
  const shown = addresses.filter((uri) => /^https?:/.test(uri) && URL.canParse(uri))
  return [...new Set(shown.map((uri) => new URL(uri).origin))]
}

/**
 * Returns the address from which a page loads a picture that a user has set; null for a picture on another host, which would learn who
 * looks at it. Files of this service are loaded from the page's own origin.
 */
export function shownPicture({ deps: { config }, tenant, isOwnDomain }: PageCall, uri: string | null): string | null {
  if (uri === null || !URL.canParse(uri)) return null
  const own = `${config.baseUrl}/media/`
  if (!isOwnDomain && uri.startsWith(own)) return uri.slice(config.baseUrl.length)
  return pictureOrigins(config, tenant).includes(new URL(uri).origin) ? uri : null
}
