// For those who need connections within their own transactions.
import { domainOfEmail } from '@bailiwick/contract'
import { findProvenDomain } from '../../identity/organizations/domain-records.ts'
import { holdOrganization } from '../../identity/organizations/members.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { OrganizationId, TenantId } from '../../platform/ids.ts'
import {
  type ConnectionIdentityRow,
  type ConnectionRow,
  selectAssertingConnections,
  selectConnection,
  selectConnectionForUpdate,
  selectConnections,
  selectDnsDomains,
  selectIdentity,
  selectIdentityOfUser,
  selectLiveConnectionsOfDomain,
} from './queries.ts'

export type { ConnectionIdentityRow, ConnectionRow }
export const findConnection = selectConnection
export const findConnectionsOfOrganization = selectConnections
export const findAssertingConnections = selectAssertingConnections
export const findConnectionIdentity = selectIdentity
export const findIdentityOfUser = selectIdentityOfUser

/**
 * Returns a connection, held until the transaction ends, after its organization: that is the lock of its connections.
 * @throws ApiError not_found
 */
export async function holdConnection(tx: Transaction, tenantId: TenantId, id: string): Promise<ConnectionRow> {
  const known = await selectConnection(tx, tenantId, id)
  if (known === undefined) throw notFound()
  await holdOrganization(tx, tenantId, known.organization_id)
  const row = await selectConnectionForUpdate(tx, tenantId, id)
  if (row === undefined) throw notFound()
  return row
}

/**
 * Returns the organization that has proved by DNS that it owns a domain. A domain that the tenant has merely vouched for is not enough:
 * whoever runs the organization's provider could sign in as everybody with an address of it.
 * @param name exactly as in a canonical address.
 */
export async function organizationOfDomain(
  db: Reader,
  tenantId: TenantId,
  name: string,
): Promise<OrganizationId | undefined> {
  const domain = await findProvenDomain(db, tenantId, name)
  return domain === undefined || domain.dns_verified_at === null ? undefined : domain.organization_id
}

/**
 * Returns the live connections that serve a domain, oldest first.
 * @param name exactly as in a canonical address.
 */
export const liveConnectionsOfDomain = selectLiveConnectionsOfDomain

/** @param email canonical. */
export const liveConnectionsOfAddress = (db: Reader, tenantId: TenantId, email: string) =>
  liveConnectionsOfDomain(db, tenantId, domainOfEmail(email))

/** Returns the domains that an organization has proved by DNS, without which nobody is led to its provider. */
export const provenDomains = async (db: Reader, tenantId: TenantId, organizationId: string): Promise<string[]> =>
  (await selectDnsDomains(db, tenantId, organizationId)).map(({ name }) => name)
