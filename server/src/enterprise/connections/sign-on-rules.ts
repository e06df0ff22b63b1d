// Which connections serve an address, and who must sign in with one. What is said of an address follows from its domain alone.
import { domainOfEmail } from '@bailiwick/contract'
import { emailAddressesOf } from '../../identity/users/find-user.ts'
import type { Identifier } from '../../identity/users/identifier.ts'
import type { Reader } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { UserId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { liveConnectionsOfDomain } from './find-connection.ts'
import type { ConnectionRow } from './queries.ts'

/** The connections that serve a domain. */
export interface DomainConnections {
  readonly rows: readonly ConnectionRow[]
  /** Whether users with an address of the domain can sign in only with one of them. */
  readonly isRequired: boolean
  /** The users who can sign in otherwise all the same. */
  readonly fallbackUserIds: ReadonlySet<string>
}

async function connectionsOfDomain(
  db: Reader,
  { row }: TenantEntry,
  name: string,
): Promise<DomainConnections | undefined> {
  const rows = await liveConnectionsOfDomain(db, row.id, name)
  if (rows.length === 0) return undefined
  const required = rows.filter((each) => each.required === 1)
  return {
    rows,
    isRequired: required.length > 0,
    fallbackUserIds: new Set(required.flatMap((each) => [...fromJson(each.fallback_user_ids)])),
  }
}

/** Returns undefined for an identifier that no connection serves. */
export async function connectionsFor(
  db: Reader,
  tenant: TenantEntry,
  identifier: Identifier | undefined,
): Promise<DomainConnections | undefined> {
  if (identifier?.kind !== 'email' || tenant.liveConnections === 'none') return undefined
  return connectionsOfDomain(db, tenant, domainOfEmail(identifier.key))
}

/** Returns whether a user may not sign in but with a connection: by whatever address, a required connection holds for all ways in. */
export async function mustUseConnection(db: Reader, tenant: TenantEntry, userId: UserId): Promise<boolean> {
  if (tenant.liveConnections !== 'required') return false
  const addresses = await emailAddressesOf(db, tenant.row.id, userId)
  for (const name of new Set(addresses.map(({ email }) => domainOfEmail(email)))) {
    const found = await connectionsOfDomain(db, tenant, name)
    if (found?.isRequired === true && !found.fallbackUserIds.has(userId)) return true
  }
  return false
}

/**
 * @param email canonical.
 * @throws ApiError enterprise_sign_in_required for an address whose organization makes its users itself.
 */
export async function assertMaySignUp(db: Reader, tenant: TenantEntry, email: string | undefined) {
  if (email === undefined || tenant.liveConnections !== 'required') return
  const found = await connectionsOfDomain(db, tenant, domainOfEmail(email))
  if (found?.isRequired === true) throw new ApiError('enterprise_sign_in_required')
}
