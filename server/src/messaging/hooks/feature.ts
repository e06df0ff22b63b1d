import { type Feature, cleanUpPause } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { removeOldCalls } from './calls.ts'
import { removeOldRelays } from './relay.ts'
import { hookRoutes } from './routes.ts'
import { hookCalls, hookListeners, hookRelays, hooks } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'messaging/hooks',
  tables: [hooks, hookCalls, hookListeners, hookRelays],
  management: hookRoutes,
  loops: (deps) => [
    { name: 'old hook calls', pauseMs: 10 * 60_000, step: () => removeOldCalls(deps) },
    { name: 'old relayed calls', ...cleanUpPause, step: () => removeOldRelays(deps) },
  ],
}
