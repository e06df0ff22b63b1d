import type { FlowFeature } from '../../flows/feature.ts'
import type { DataPart } from '../../identity/people/export.ts'
import { apiKeysPart } from './exported-keys.ts'
import { ownApiKeyRoutes, userApiKeyRoutes } from './routes.ts'
import { userApiKeys } from './tables.ts'

export const feature: FlowFeature & { readonly dataParts: readonly DataPart[] } = {
  name: 'applications/user-api-keys',
  tables: [userApiKeys],
  management: userApiKeyRoutes,
  frontend: ownApiKeyRoutes,
  dataParts: [apiKeysPart],
}
