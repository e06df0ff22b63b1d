import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { formerPasswords, passwords } from '../passwords/tables.ts'
import { userTerms } from '../search/term-tables.ts'
import { contactCandidates, emailAddresses, phoneNumbers, users } from '../users/tables.ts'
import { addMissingTerms } from '../users/user-terms.ts'
import type { DataPart } from './export.ts'
import { userRoutes } from './routes.ts'
import { endExpiredRoles } from './user-changes.ts'

export const feature: Feature<Deps, { readonly dataParts: readonly DataPart[] }> = {
  name: 'identity/people',
  tables: [users, userTerms, passwords, formerPasswords, emailAddresses, phoneNumbers, contactCandidates],
  management: (management, deps, { dataParts }) => userRoutes(management, deps, dataParts),
  loops: (deps) => [
    { name: 'ended roles', pauseMs: 2000, share: 0.1, step: () => endExpiredRoles(deps) },
    { name: 'search terms of users', pauseMs: 10_000, share: 0.3, step: () => addMissingTerms(deps) },
  ],
}
