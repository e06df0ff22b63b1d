// What users have allowed applications, without the flow that leads there.
import { grants } from '../../src/applications/grants/tables.ts'
import { type ApplicationId, type OrganizationId, type TenantId, type UserId, newId } from '../../src/platform/ids.ts'
import { toJson } from '../../src/platform/json-text.ts'
import type { TestService } from './service.ts'

interface Parties {
  readonly tenantId: string
  readonly userId: string
  readonly applicationId: string
  readonly organizationId?: string
}

/** Stores a grant and returns its id. */
export async function storeGrant({ deps }: TestService, parties: Parties): Promise<string> {
  const { tenantId, userId, applicationId, organizationId = null } = parties
  const at = deps.clock.next()
  const id = newId<'GrantId'>()
  const row = {
    tenant_id: tenantId as TenantId,
    id,
    user_id: userId as UserId,
    application_id: applicationId as ApplicationId,
    organization_id: organizationId as OrganizationId | null,
    scopes: toJson(['openid', 'profile']),
    resource_scopes: toJson({ 'https://api.acme.example': ['reports:read'] }),
    claims: toJson([]),
    last_used_at: at,
    created_at: at,
    updated_at: at,
  }
  await deps.db.transaction((tx) => tx.run(grants.insert(row)))
  return id
}
