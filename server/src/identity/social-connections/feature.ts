import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { socialConnections } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'identity/social-connections',
  tables: [socialConnections],
}
