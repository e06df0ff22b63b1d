// Checks that the addresses to which people were recently sent are listed by their tenants.
import { isRedirectUri } from '@bailiwick/contract'
import { isDestinationOf } from '../../flows/frontend/destinations.ts'
import { recentRedirects } from '../../identity/attempts/attempts.ts'
import type { AttemptTable } from '../../identity/attempts/tables.ts'
import type { Config } from '../../platform/config.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { CommandDeps } from '../open-deployment.ts'
import { type Finding, ok, warn } from './check.ts'

const tables: readonly AttemptTable[] = ['sign_in_attempts', 'sign_up_attempts']
const attemptsMax = 20_000
const namedMax = 5

/** On a domain of the tenant, an address may be one of the hosted pages there. */
function isStillListed(config: Config, tenant: TenantEntry, address: string): boolean {
  if (!isRedirectUri(address)) return false
  const { host } = new URL(address)
  const isOwn = tenant.domains.some(({ name_key: name, is_verified: verified }) => verified === 1 && name === host)
  return isDestinationOf({ config }, { tenant, ownHost: isOwn ? host : null }, address)
}

/** The first versions allowed an address by its origin, so pages may depend on addresses that are not listed. */
export async function checkRedirects({ config, db, tenants }: CommandDeps): Promise<Finding> {
  const check = 'redirect addresses'
  const unlisted = new Set<string>()
  for (const table of tables) {
    for (const row of await recentRedirects(db, table, attemptsMax)) {
      const tenant = await tenants.byId(row.tenant_id)
      const isListed = tenant !== undefined && isStillListed(config, tenant, row.redirect_uri)
      if (tenant !== undefined && !isListed) unlisted.add(`${row.redirect_uri} of ${tenant.row.slug}`)
    }
  }
  if (unlisted.size === 0) return ok(check, 'all addresses that recent attempts have named are allowed')
  const named = [...unlisted].slice(0, namedMax).join(', ')
  return warn(
    check,
    `${unlisted.size} that attempts of late named are refused by now: ${named}`,
    "add those that are right to the tenant's redirectUris (PUT /auth/tenants/{id})",
  )
}
