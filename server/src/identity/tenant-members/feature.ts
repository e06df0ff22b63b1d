import { sendingAccounts } from '../../messaging/notifications/tables.ts'
import { type Feature, type Founding, cleanUpPause } from '../../platform/feature.ts'
import type { UserId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { removeExpiredInvitations } from './expired-invitations.ts'
import { endExpiredTenantMembers } from './member-changes.ts'
import { tenantMemberRoutes } from './routes.ts'
import { tenantInvitations, tenantMembers } from './tables.ts'
import { foundingMember } from './tenant-members.ts'

/** The first member of a new tenant is the console user who creates it. Other creators do not become members. */
function founder(deps: Deps, { tenantId, actor, consoleTenantId }: Founding) {
  if (actor.type !== 'console_user' || actor.id === null || consoleTenantId === undefined) return undefined
  return foundingMember(deps, tenantId, consoleTenantId, actor.id as UserId)
}

export const feature: Feature<Deps> = {
  name: 'identity/tenant-members',
  tables: [tenantMembers, tenantInvitations, sendingAccounts],
  management: tenantMemberRoutes,
  newTenant: founder,
  loops: (deps) => [
    { name: 'ended administrators', pauseMs: 2000, share: 0.1, step: () => endExpiredTenantMembers(deps) },
    { name: 'expired invitations of administrators', ...cleanUpPause, step: () => removeExpiredInvitations(deps) },
  ],
}
