// Whose roles are managed, and by whom.
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type OrganizationPlace, tenantsPlace } from '../organizations/organizations.ts'

/** Whoever makes, changes or deletes a role, with the rights of this moment. */
export interface RoleMaker {
  /** What a role can give at most; undefined for the tenant, which has no limit. */
  readonly permissions: ReadonlySet<string> | undefined
  /** Whether what the maker adds to a role requires a second factor, because the maker's own rights do. */
  readonly needsSecondFactor: boolean
}

export type RolePlace = OrganizationPlace<RoleMaker>

export function tenantsRoles(tenantId: TenantId, organizationId: string, actor: Actor): RolePlace {
  const place = tenantsPlace(tenantId, organizationId, actor)
  return {
    ...place,
    async enter(db) {
      await place.enter(db)
      return { permissions: undefined, needsSecondFactor: false }
    },
  }
}
