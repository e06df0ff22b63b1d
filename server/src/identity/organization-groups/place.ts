// Whose groups are managed, and by whom: by a member whose permissions in the organization allow it, or by the tenant.
import type { Reader } from '../../platform/db/database.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { isOrganization } from '../organizations/organizations.ts'

export interface GroupPlace {
  readonly tenantId: TenantId
  readonly organizationId: string
  readonly actor: Actor
  /** @throws ApiError forbidden, not_found */
  readonly enter: (db: Reader) => Promise<void>
  /**
   * Refuses to give or take a role, which is what a change of a group's role or members does.
   * @throws ApiError forbidden
   */
  readonly assertMayGive: (db: Reader, roleId: string | null) => Promise<void>
}

export const tenantsPlace = (tenantId: TenantId, organizationId: string, actor: Actor): GroupPlace => ({
  tenantId,
  organizationId,
  actor,
  async enter(db) {
    if (!(await isOrganization(db, tenantId, organizationId))) throw notFound()
  },
  assertMayGive: async () => undefined,
})
