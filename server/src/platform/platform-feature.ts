// What the platform itself stores and repeats.
import { cacheInvalidations } from './cache/tables.ts'
import { counters, deployment, schemaMigrations, schemaRequirements } from './db/tables.ts'
import type { Deps } from './deps.ts'
import { sealNext } from './events/sealer.ts'
import { eventAnchors, eventCheckpoints, eventSeals, events } from './events/tables.ts'
import type { Feature, FeatureLoop } from './feature.ts'
import { removeOldKeys } from './idempotency/idempotency.ts'
import { idempotencyKeys } from './idempotency/tables.ts'
import { jobs } from './jobs/tables.ts'
import { quotas, recipientQuotas } from './quotas/tables.ts'
import { createDayCounterCleanUp } from './statistics/clean-up.ts'

/** Sealing can wait a little: requests come first until an event has waited for some seconds. Then it catches up. */
const sealShares = [
  { waitedMs: 6000, share: 0.9 },
  { waitedMs: 2000, share: 0.5 },
  { waitedMs: 0, share: 0.05 },
] as const

function sealing(deps: Deps): FeatureLoop {
  let waitedLastMs = 0
  return {
    name: 'seals',
    pauseMs: 1000,
    share: () => sealShares.find(({ waitedMs }) => waitedLastMs >= waitedMs)?.share ?? 1,
    step: async () => {
      const { hasMore, waitedMs } = await sealNext(deps)
      waitedLastMs = Math.max(waitedMs, 0)
      return hasMore
    },
  }
}

export const feature: Feature<Deps> = {
  name: 'platform',
  sharedTables: [deployment, schemaMigrations, schemaRequirements, recipientQuotas, cacheInvalidations],
  tables: [quotas, idempotencyKeys, jobs, events, eventSeals, eventCheckpoints, eventAnchors, counters],
  loops: (deps) => [
    sealing(deps),
    { name: 'old idempotency keys', pauseMs: 10 * 60_000, step: () => removeOldKeys(deps) },
    { name: 'old days', pauseMs: 60_000, step: createDayCounterCleanUp(deps) },
  ],
}
