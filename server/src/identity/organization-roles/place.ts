// Whose roles are managed, and by whom: by a member whose permissions in the organization allow it, or by the tenant.
import type { Reader } from '../../platform/db/database.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { isOrganization } from '../organizations/organizations.ts'

/** Whoever makes, changes or deletes a role, with the rights of this moment. */
export interface RoleMaker {
  /** What a role can give at most; undefined for the tenant, which has no limit. */
  readonly permissions: ReadonlySet<string> | undefined
  /** Whether what the maker adds to a role requires a second factor, because the maker's own rights do. */
  readonly needsSecondFactor: boolean
}

export interface RolePlace {
  readonly tenantId: TenantId
  readonly organizationId: string
  readonly actor: Actor
  /** @throws ApiError forbidden, not_found */
  readonly enter: (db: Reader) => Promise<RoleMaker>
}

export const tenantsPlace = (tenantId: TenantId, organizationId: string, actor: Actor): RolePlace => ({
  tenantId,
  organizationId,
  actor,
  async enter(db) {
    if (!(await isOrganization(db, tenantId, organizationId))) throw notFound()
    return { permissions: undefined, needsSecondFactor: false }
  },
})
