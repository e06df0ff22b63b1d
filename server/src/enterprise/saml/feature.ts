import { cleanUpPause, type Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { removeForgettable } from './seen-assertions.ts'
import { seenAssertions } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'enterprise/saml',
  tables: [seenAssertions],
  loops: (deps) => [{ name: 'used assertions', ...cleanUpPause, step: () => removeForgettable(deps) }],
}
