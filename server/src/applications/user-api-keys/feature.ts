import type { FlowFeature } from '../../flows/feature.ts'
import type { DataPart } from '../../identity/people/export.ts'
import type { EndGrants } from '../../identity/people/secure-account.ts'
import { apiKeysPart } from './exported-keys.ts'
import { endKeysOfUser } from './managed-keys.ts'
import { ownApiKeyRoutes, userApiKeyRoutes } from './routes.ts'
import { userApiKeys } from './tables.ts'

export const feature: FlowFeature & { readonly dataParts: readonly DataPart[]; readonly endGrants: EndGrants } = {
  name: 'applications/user-api-keys',
  tables: [userApiKeys],
  management: userApiKeyRoutes,
  frontend: ownApiKeyRoutes,
  dataParts: [apiKeysPart],
  endGrants: endKeysOfUser,
}
