// Where users begin again when the request of an application is over: only the application itself can make another one.
import { findApplicationOfClient } from '../../applications/applications/application-records.ts'
import { issuerOfTenant } from '../../applications/settings/issuer.ts'
import { oauthSettingsOf } from '../../applications/settings/oauth-settings.ts'
import type { Deps } from '../../identity/deps.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'

/** No registered application has a longer one. */
const clientIdLengthMax = 64

/**
 * Returns the address at which the application begins a sign-in (OpenID Connect Core 1.0 section 4), otherwise its first page, otherwise that
 * of the tenant; undefined if there is none of them.
 */
export async function addressToStartAgain(deps: Deps, tenant: TenantEntry, clientId: string | undefined) {
  const home = tenant.auth.homeUri ?? undefined
  if (clientId === undefined || clientId.length > clientIdLengthMax || clientId.includes('\0')) return home
  const record = await findApplicationOfClient(deps.db, tenant, clientId)
  if (record === undefined) return home
  const { initiate_login_uri: initiateLoginUri, home_uri: homeUri } = record.row
  if (initiateLoginUri === null) return homeUri ?? home
  const address = new URL(initiateLoginUri)
  address.searchParams.set('iss', issuerOfTenant(deps, tenant, await oauthSettingsOf(deps.db, tenant)).id)
  return address.href
}
