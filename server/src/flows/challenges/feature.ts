import { endpoints, frontendEndpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { FlowFeature } from '../feature.ts'
import { loadChallenges } from './challenge-rule.ts'
import { challengeProviders, spentChallenges } from './tables.ts'

/** Few tenants have a provider of their own, so its operations are loaded when they are first called. */
const providers = () => import('./captcha-providers.ts')

function challengeProviderRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.getChallengeProvider, async ({ tenantId }) =>
    (await providers()).getChallengeProvider(deps, tenantId),
  )
  handle(endpoints.putChallengeProvider, async ({ tenantId, body, actor }) =>
    (await providers()).putChallengeProvider(deps, tenantId, body, actor),
  )
  handle(endpoints.deleteChallengeProvider, async ({ tenantId, actor }) =>
    (await providers()).deleteChallengeProvider(deps, tenantId, actor),
  )
}

/** Used answers are removed with everything else that expires. */
export const feature: FlowFeature = {
  name: 'flows/challenges',
  tables: [spentChallenges, challengeProviders],
  management: challengeProviderRoutes,
  frontend({ deps, handle }) {
    handle(frontendEndpoints.getChallenge, async (call) => {
      const { createChallenge } = await loadChallenges()
      return { challenge: await createChallenge(deps, call, call.query.purpose) }
    })
  },
}
