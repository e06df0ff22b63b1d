import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { endExpiredMemberships } from './membership-ends.ts'
import { organizationRoutes } from './routes.ts'
import { organizationInvitations, organizationMembers, organizations } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'identity/organizations',
  tables: [organizations, organizationMembers, organizationInvitations],
  management: organizationRoutes,
  loops: (deps) => [{ name: 'ended memberships', pauseMs: 2000, share: 0.1, step: () => endExpiredMemberships(deps) }],
}
