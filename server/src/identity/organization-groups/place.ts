// Whose groups are managed, and by whom.
import type { Reader } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type OrganizationPlace, tenantsPlace } from '../organizations/organizations.ts'

export interface GroupPlace extends OrganizationPlace {
  /**
   * Refuses to give or take a role, which is what a change of a group's role or members does.
   * @throws ApiError forbidden
   */
  readonly assertMayGive: (db: Reader, roleId: string | null) => Promise<void>
}

export const tenantsGroups = (tenantId: TenantId, organizationId: string, actor: Actor): GroupPlace => ({
  ...tenantsPlace(tenantId, organizationId, actor),
  assertMayGive: async () => undefined,
})
