// Connections of organizations, as if people had signed in with them.
import { connectionIdentities } from '../../../src/enterprise/connections/tables.ts'
import type { ConnectionId, OrganizationId, TenantId, UserId } from '../../../src/platform/ids.ts'
import { unique } from '../factories.ts'
import type { TestService } from '../service.ts'

interface Identity {
  readonly tenantId: string
  readonly organizationId: string
  readonly connectionId: string
  readonly userId: string
  readonly subject?: string
}

/** As if the user had signed in with the connection before. */
export async function storeConnectionIdentity({ deps }: TestService, identity: Identity): Promise<string> {
  const at = deps.clock.next()
  const row = {
    tenant_id: identity.tenantId as TenantId,
    connection_id: identity.connectionId as ConnectionId,
    subject: identity.subject ?? unique(),
    organization_id: identity.organizationId as OrganizationId,
    user_id: identity.userId as UserId,
    created_at: at,
    last_used_at: at,
  }
  await deps.db.transaction((tx) => tx.run(connectionIdentities.insert(row)))
  return row.subject
}
