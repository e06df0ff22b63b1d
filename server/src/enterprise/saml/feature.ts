import { cleanUpPause, type Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { removeForgettable } from './seen-assertions.ts'
import { samlLogouts, samlSignIns, seenAssertions } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'enterprise/saml',
  tables: [seenAssertions, samlSignIns, samlLogouts],
  loops: (deps) => [{ name: 'used messages of SAML', ...cleanUpPause, step: () => removeForgettable(deps) }],
}
