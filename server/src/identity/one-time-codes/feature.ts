import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { verifications } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'identity/one-time-codes',
  tables: [verifications],
}
