import { cleanUpPause, type Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { cleanUpSessions } from './clean-up.ts'
import { sessionRoutes } from './routes.ts'
import { sessions } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'identity/sessions',
  tables: [sessions],
  management: sessionRoutes,
  loops: (deps) => [{ name: 'sessions', ...cleanUpPause, step: () => cleanUpSessions(deps) }],
}
