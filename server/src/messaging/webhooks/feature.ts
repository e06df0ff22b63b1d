import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { deliverHandler } from './deliver.ts'
import { removeOldDeliveries } from './deliveries.ts'
import { fanOutNext } from './fan-out.ts'
import { selectOldestDelivered } from './queries.ts'
import { webhookRoutes } from './routes.ts'
import { deliverJobKind } from './schedule.ts'
import { webhookDeliveries, webhooks } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'messaging/webhooks',
  tables: [webhooks, webhookDeliveries],
  management: webhookRoutes,
  jobs: (deps) => ({ [deliverJobKind]: deliverHandler(deps) }),
  oldestNeededEvent: selectOldestDelivered,
  loops: (deps, wakeJobs) => [
    {
      name: 'webhooks',
      pauseMs: 500,
      share: 0.2,
      step: async () => {
        const { deliveries, hasMore } = await fanOutNext(deps)
        if (deliveries > 0) wakeJobs()
        return hasMore
      },
    },
    { name: 'old deliveries', pauseMs: 10 * 60_000, step: () => removeOldDeliveries(deps) },
  ],
}
