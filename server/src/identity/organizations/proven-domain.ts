// What other features may know about organizations' domains: only proven ones exist for them.
import type { Reader } from '../../platform/db/database.ts'
import type { OrganizationDomainId, OrganizationId, TenantId, UserId } from '../../platform/ids.ts'
import { selectDomain, selectSuggestions, selectVerifiedDomain } from './domain-records.ts'

/** @param name exactly as in a canonical address: a domain does not cover the domains below it. */
export const findProvenDomain = (db: Reader, tenantId: TenantId, name: string) =>
  selectVerifiedDomain(db, tenantId, name)

export async function isProvenDomain(
  db: Reader,
  tenantId: TenantId,
  organizationId: OrganizationId,
  id: OrganizationDomainId,
): Promise<boolean> {
  const row = await selectDomain(db, tenantId, organizationId, id)
  return row !== undefined && row.verified_at !== null
}

/** Returns the organizations that have proved one of these domains and that the user is not a member of. */
export const suggestedOrganizations = async (
  db: Reader,
  tenantId: TenantId,
  userId: UserId,
  names: readonly string[],
) => (names.length === 0 ? [] : selectSuggestions(db, tenantId, userId, names))
