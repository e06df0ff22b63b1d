import { type Feature, cleanUpPause } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { organizationTerms } from '../search/term-tables.ts'
import { endExpiredMemberships, removeExpiredInvitations } from './membership-ends.ts'
import { addMissingTerms } from './organization-search.ts'
import { organizationRoutes } from './routes.ts'
import { organizationInvitations, organizationMembers, organizations } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'identity/organizations',
  tables: [organizations, organizationTerms, organizationMembers, organizationInvitations],
  management: organizationRoutes,
  loops: (deps) => [
    { name: 'ended memberships', pauseMs: 2000, share: 0.1, step: () => endExpiredMemberships(deps) },
    { name: 'expired invitations', ...cleanUpPause, step: () => removeExpiredInvitations(deps) },
    { name: 'search terms of organizations', pauseMs: 10_000, share: 0.3, step: () => addMissingTerms(deps) },
  ],
}
