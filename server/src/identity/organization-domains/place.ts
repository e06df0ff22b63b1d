// Whose domains are managed, and by whom: a member of the organization whose role allows it, or the tenant, which needs nobody's leave.
import type { Reader } from '../../platform/db/database.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { selectOrganization } from '../organizations/queries.ts'
import { enterOrganization } from '../../flows/own-organizations/rights.ts'
import type { AnyCall } from '../../flows/sign-in/flow.ts'

export interface DomainPlace {
  readonly tenantId: TenantId
  readonly organizationId: string
  readonly actor: Actor
  /** @throws ApiError forbidden, not_found */
  readonly enter: (db: Reader) => Promise<void>
}

export const membersPlace = (call: AnyCall, organizationId: string): DomainPlace => ({
  tenantId: call.tenantId,
  organizationId,
  actor: call.actor(),
  async enter(db) {
    if (!call.tenant.auth.organizationCustomDomainManagementEnabled)
      throw new ApiError('forbidden', { detail: 'This tenant does not let organizations have domains of their own.' })
    await enterOrganization(db, call, organizationId, 'org:domains:manage')
  },
})

export const tenantsPlace = (tenantId: TenantId, organizationId: string, actor: Actor): DomainPlace => ({
  tenantId,
  organizationId,
  actor,
  async enter(db) {
    if ((await selectOrganization(db, tenantId, organizationId)) === undefined) throw notFound()
  },
})
