import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { formerPasswords, passwords } from '../passwords/tables.ts'
import { contactCandidates, emailAddresses, phoneNumbers, users } from '../users/tables.ts'
import type { DataPart } from './export.ts'
import { userRoutes } from './routes.ts'

export const feature: Feature<Deps, { readonly dataParts: readonly DataPart[] }> = {
  name: 'identity/people',
  tables: [users, passwords, formerPasswords, emailAddresses, phoneNumbers, contactCandidates],
  management: (management, deps, { dataParts }) => userRoutes(management, deps, dataParts),
}
