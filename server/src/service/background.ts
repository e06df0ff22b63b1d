// What runs beside the requests. Every node runs all of it: jobs are divided by leases, and the readers of the event log by their place in
// it, which only one of them can advance.
import type { Deps } from '../identity/deps.ts'
import { sealNext } from '../platform/events/sealer.ts'
import { cleanUpAuthorizations } from '../applications/clean-up.ts'
import { logoutHandler } from '../applications/logout/back-channel.ts'
import { cleanUpExpired } from '../identity/lockout/clean-up.ts'
import { removeOldKeys } from '../platform/idempotency/idempotency.ts'
import type { JobHandlers } from '../platform/jobs/jobs.ts'
import { startLoop } from '../platform/jobs/loop.ts'
import { startJobs } from '../platform/jobs/runner.ts'
import { removeOldMessages } from '../messaging/notifications/old-messages.ts'
import { sendJobKind } from '../messaging/notifications/queue-message.ts'
import { sendHandler } from '../messaging/notifications/send-messages.ts'
import { completeDirectHandler } from '../media/complete-direct.ts'
import { completeDirectJobKind } from '../media/uploads.ts'
import { precomputeHandler, precomputeJobKind } from '../media/delivery/precompute.ts'
import { cleanUpUploads, forgetStagedBodies } from '../media/clean-up.ts'
import { removeBytesHandler, removeBytesJobKind } from '../media/remove-bytes.ts'
import { cleanUpSessions } from '../identity/sessions/clean-up.ts'
import { sessionEndedJobKind } from '../identity/sessions/followers.ts'
import type { Tracer } from '../platform/telemetry/tracer.ts'
import { createDayCounterCleanUp } from '../platform/statistics/clean-up.ts'
import { eraseDeletedTenants } from './tenant-lifecycle/erasure.ts'
import { deliverJobKind } from '../messaging/webhooks/schedule.ts'
import { deliverHandler } from '../messaging/webhooks/deliver.ts'
import { removeOldDeliveries } from '../messaging/webhooks/deliveries.ts'
import { fanOutNext } from '../messaging/webhooks/fan-out.ts'

const fanOutPauseMs = 500
const sealPauseMs = 1000
/** Sealing can wait a little: requests come first until an event has waited for some seconds. Then it catches up. */
const sealShares = [
  { waitedMs: 6000, share: 0.9 },
  { waitedMs: 2000, share: 0.5 },
  { waitedMs: 0, share: 0.05 },
] as const
const fanOutShare = 0.2
/** Removing expired data can wait: under load requests get nineteen twentieths of the time. */
const cleanUpShare = 0.05
const cleanUpPauseMs = 30_000
const erasePauseMs = 5 * 60_000
const eraseShare = 0.1
const removePauseMs = 10 * 60_000
const oldDaysPauseMs = 60_000

const jobHandlers = (deps: Deps): JobHandlers => ({
  [deliverJobKind]: deliverHandler(deps),
  [sendJobKind]: sendHandler(deps),
  [removeBytesJobKind]: removeBytesHandler(deps),
  [completeDirectJobKind]: completeDirectHandler(deps),
  [precomputeJobKind]: precomputeHandler(deps),
  [sessionEndedJobKind]: logoutHandler(deps),
})

function startSealing(deps: Deps) {
  let waitedLastMs = 0
  return startLoop({
    name: 'seals',
    log: deps.log,
    pauseMs: sealPauseMs,
    share: () => sealShares.find(({ waitedMs }) => waitedLastMs >= waitedMs)?.share ?? 1,
    step: async () => {
      const { hasMore, waitedMs } = await sealNext(deps)
      waitedLastMs = Math.max(waitedMs, 0)
      return hasMore
    },
  })
}

async function tracedIfAsked(handlers: JobHandlers, tracer: Tracer | undefined): Promise<JobHandlers> {
  if (tracer === undefined) return handlers
  const { tracedHandlers } = await import('../platform/jobs/traced-handlers.ts')
  return tracedHandlers(handlers, tracer)
}

/** Starts everything; resolves with what stops it. */
export async function startBackground(deps: Deps, tracer?: Tracer): Promise<() => Promise<void>> {
  const { log } = deps
  if (deps.db.engine === 'sqlite') await forgetStagedBodies(deps)
  const jobs = await startJobs(deps, await tracedIfAsked(jobHandlers(deps), tracer))
  const loops = [
    startLoop({
      name: 'webhooks',
      log,
      pauseMs: fanOutPauseMs,
      share: fanOutShare,
      step: async () => {
        const { deliveries, hasMore } = await fanOutNext(deps)
        if (deliveries > 0) jobs.wake()
        return hasMore
      },
    }),
    startSealing(deps),
    startLoop({
      name: 'sessions',
      log,
      pauseMs: cleanUpPauseMs,
      share: cleanUpShare,
      step: () => cleanUpSessions(deps),
    }),
    startLoop({ name: 'expired', log, pauseMs: cleanUpPauseMs, share: cleanUpShare, step: () => cleanUpExpired(deps) }),
    startLoop({
      name: 'authorizations',
      log,
      pauseMs: cleanUpPauseMs,
      share: cleanUpShare,
      step: () => cleanUpAuthorizations(deps),
    }),
    startLoop({ name: 'uploads', log, pauseMs: cleanUpPauseMs, share: cleanUpShare, step: () => cleanUpUploads(deps) }),
    startLoop({
      name: 'erasure',
      log,
      pauseMs: erasePauseMs,
      share: eraseShare,
      step: () => eraseDeletedTenants(deps),
    }),
    startLoop({ name: 'old idempotency keys', log, pauseMs: removePauseMs, step: () => removeOldKeys(deps) }),
    startLoop({ name: 'old deliveries', log, pauseMs: removePauseMs, step: () => removeOldDeliveries(deps) }),
    startLoop({
      name: 'old days',
      log,
      pauseMs: oldDaysPauseMs,
      step: createDayCounterCleanUp(deps),
    }),
    startLoop({ name: 'old messages', log, pauseMs: removePauseMs, step: () => removeOldMessages(deps) }),
  ]
  return async () => {
    await Promise.all([...loops.map((loop) => loop.stop()), jobs.stop()])
  }
}
