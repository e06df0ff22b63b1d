import type { DataPart } from '../../identity/people/export.ts'
import { cleanUpPause, type Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { removeOldEntries } from './log.ts'
import { directoriesPart } from './provisioned-by.ts'
import { scimRoutes } from './routes.ts'
import { followRules, groupRulesJobKind } from './rules/group-rules.ts'
import { scimDirectories, scimGroupMembers, scimGroups, scimLog, scimTokens, scimUsers } from './tables.ts'

export const feature: Feature<Deps> & { readonly dataParts: readonly DataPart[] } = {
  name: 'enterprise/scim',
  tables: [scimDirectories, scimTokens, scimUsers, scimGroups, scimGroupMembers, scimLog],
  management: scimRoutes,
  jobs: (deps) => ({ [groupRulesJobKind]: { run: (job, signal) => followRules(deps, job, signal) } }),
  loops: (deps) => [{ name: 'old SCIM log', ...cleanUpPause, step: () => removeOldEntries(deps) }],
  dataParts: [directoriesPart],
}
