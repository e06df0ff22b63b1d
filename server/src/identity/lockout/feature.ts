import { cleanUpPause, type Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { cleanUpExpired } from './clean-up.ts'
import { guesses, knownDevices } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'identity/lockout',
  tables: [guesses, knownDevices],
  loops: (deps) => [{ name: 'expired', ...cleanUpPause, step: () => cleanUpExpired(deps) }],
}
