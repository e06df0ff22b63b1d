import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { removeOldCalls } from './calls.ts'
import { hookRoutes } from './routes.ts'
import { hookCalls, hooks } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'messaging/hooks',
  tables: [hooks, hookCalls],
  management: hookRoutes,
  loops: (deps) => [{ name: 'old hook calls', pauseMs: 10 * 60_000, step: () => removeOldCalls(deps) }],
}
