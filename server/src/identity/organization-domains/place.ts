// Whose domains are managed, and by whom: by a member whose role in the organization allows it, or by the tenant, which needs no
// permission.
import type { Reader } from '../../platform/db/database.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { isOrganization } from '../organizations/organizations.ts'

export interface DomainPlace {
  readonly tenantId: TenantId
  readonly organizationId: string
  readonly actor: Actor
  /** @throws ApiError forbidden, not_found */
  readonly enter: (db: Reader) => Promise<void>
}

export const tenantsPlace = (tenantId: TenantId, organizationId: string, actor: Actor): DomainPlace => ({
  tenantId,
  organizationId,
  actor,
  async enter(db) {
    if (!(await isOrganization(db, tenantId, organizationId))) throw notFound()
  },
})
