import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { attemptRoutes } from './routes.ts'
import { signInAttempts, signUpAttempts } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'identity/attempts',
  tables: [signInAttempts, signUpAttempts],
  management: attemptRoutes,
}
