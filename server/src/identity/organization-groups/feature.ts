import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { endExpiredGroupMembers } from './group-members.ts'
import { organizationGroupRoutes } from './routes.ts'
import { organizationGroupMembers, organizationGroups } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'identity/organization-groups',
  tables: [organizationGroups, organizationGroupMembers],
  management: organizationGroupRoutes,
  loops: (deps) => [
    { name: 'ended group members', pauseMs: 2000, share: 0.1, step: () => endExpiredGroupMembers(deps) },
  ],
}
