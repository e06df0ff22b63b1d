import { frontendEndpoints } from '@bailiwick/contract'
import type { FlowFeature } from '../feature.ts'
import { spentChallenges } from './tables.ts'

/** Used answers are removed with everything else that expires. */
export const feature: FlowFeature = {
  name: 'flows/challenges',
  tables: [spentChallenges],
  frontend({ deps, handle }) {
    handle(frontendEndpoints.getChallenge, async (call) => {
      const { createChallenge } = await import('./challenges.ts')
      return { challenge: await createChallenge(deps, call, call.query.purpose) }
    })
  },
}
