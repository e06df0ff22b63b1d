import { endpoints } from '@bailiwick/contract'
import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { evaluate } from './evaluations.ts'
import { createSubjects } from './subjects.ts'

export const feature: Feature<Deps> = {
  name: 'identity/evaluations',
  management({ handle }, deps) {
    const subjects = createSubjects(deps)
    handle(endpoints.evaluate, ({ tenantId, body }) => evaluate(deps, subjects, tenantId, body))
  },
}
