import type { DeploymentJobs } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type CountedJobs, countGivenUp, countLive } from '../../platform/jobs/backlog.ts'
import { retryFailed } from '../../platform/jobs/retry.ts'
import { shownReason } from '../../platform/jobs/shown-reason.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'

const liveCountedMax = 10_000
const givenUpCountedMax = 1000
const retriedMax = 1000

type JobKind = DeploymentJobs['kinds'][number]

function kindOf(kind: string, counted: readonly CountedJobs[]): JobKind {
  const own = counted.filter((each) => each.kind === kind)
  const countOf = (state: CountedJobs['state']) => own.find((each) => each.state === state)?.count ?? 0
  const due = own.filter(({ state }) => state === 'waiting' || state === 'running').map(({ oldest }) => oldest)
  const failed = own.filter(({ state, error }) => (state === 'givenUp' || state === 'retrying') && error !== null)
  const reason = failed.toSorted((a, b) => (a.state < b.state ? -1 : 1))[0]?.error
  return {
    kind,
    waiting: countOf('waiting'),
    running: countOf('running'),
    retrying: countOf('retrying'),
    scheduled: countOf('scheduled'),
    givenUp: countOf('givenUp'),
    oldestDueAt: due.toSorted()[0] ?? null,
    error: reason === undefined || reason === null ? null : shownReason(reason),
  }
}

/** Returns how many jobs of each kind wait, run and have failed. */
export async function readJobs({ db, clock }: Deps): Promise<DeploymentJobs> {
  const now = clock.now()
  const live = await countLive(db, now, liveCountedMax)
  const counted = [...live, ...(await countGivenUp(db, givenUpCountedMax))]
  const kinds = [...new Set(counted.map(({ kind }) => kind))].toSorted()
  return {
    checkedAt: now,
    isComplete: live.reduce((sum, { count }) => sum + count, 0) < liveCountedMax,
    kinds: kinds.map((kind) => kindOf(kind, counted)),
  }
}

/** Makes failed jobs of a kind due now, and returns how many. */
export async function retryJobs(
  { db, clock, personal }: Deps,
  kind: string,
  actor: Actor,
): Promise<{ readonly jobs: number }> {
  const tenantId = await getConsoleTenantId(db)
  return db.transaction(async (tx) => {
    const jobs = await retryFailed(tx, kind, clock.now(), retriedMax)
    if (jobs === 0) return { jobs }
    const data = { kind, jobs }
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'deployment.jobs_retried',
        actor,
        subjectId: tenantId,
        data,
      }),
    )
    return { jobs }
  })
}
