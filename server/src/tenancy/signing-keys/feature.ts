import { rsaSigningKeys, signingKeys } from '../../platform/crypto/tables.ts'
import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { signingKeyRoutes } from './routes.ts'

export const feature: Feature<Deps> = {
  name: 'tenancy/signing-keys',
  tables: [signingKeys, rsaSigningKeys],
  management: signingKeyRoutes,
}
