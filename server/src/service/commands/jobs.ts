// The background work that waits or has failed, and trying it again.
import type { Config } from '../../platform/config.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type ListedJob, selectListed } from '../../platform/jobs/backlog.ts'
import { retryOne } from '../../platform/jobs/retry.ts'
import { shownReason } from '../../platform/jobs/shown-reason.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { readJobs, retryJobs } from '../deployment/jobs.ts'
import { type CommandDeps, reading, writing } from '../open-deployment.ts'
import { CommandRefused, type Outcome, exitStatus } from '../outcome.ts'
import { columnsText } from './terminal/columns.ts'

const actor: Actor = { type: 'operator', id: null, ip: null, ua: null }

export interface JobsOptions {
  readonly failed?: true
  readonly limit: number
}

const stateOf = ({ dead_at: deadAt, attempts, leased_until: leasedUntil }: ListedJob, now: string) => {
  if (deadAt !== null) return 'given up'
  if (leasedUntil !== null && leasedUntil > now) return 'running'
  return attempts > 0 ? 'retrying' : 'waiting'
}

/** Lists jobs: those that were given up first, then those that are due first. */
export const jobs = (config: Config, { failed, limit }: JobsOptions): Promise<Outcome> =>
  reading(config, async ({ db, clock }) => {
    const now = clock.now()
    const found = await selectListed(db, { isFailed: failed === true, limit: limit + 1 })
    const list = found.slice(0, limit).map((job) => ({
      id: job.id,
      tenantId: job.tenant_id,
      kind: job.kind,
      state: stateOf(job, now),
      failures: job.attempts,
      dueAt: job.run_at,
      error: job.last_error === null ? null : shownReason(job.last_error),
    }))
    const titles = ['ID', 'TENANT', 'KIND', 'STATE', 'FAILURES', 'DUE', 'WHY IT FAILED']
    const rows = list.map((job) => [
      job.id,
      job.tenantId,
      job.kind,
      job.state,
      String(job.failures),
      job.dueAt,
      job.error ?? '',
    ])
    const hasMore = found.length > limit
    const more = hasMore ? [`Only the first ${limit} are listed: raise --limit.`] : []
    const nothing = failed === true ? 'No job has failed.' : 'No job waits.'
    return {
      text: list.length === 0 ? nothing : [columnsText(titles, rows), ...more].join('\n'),
      json: { jobs: list, hasMore },
    }
  })

async function retryFailedOfAll(deps: CommandDeps): Promise<number> {
  const { kinds } = await readJobs(deps)
  let all = 0
  for (const { kind, givenUp, retrying } of kinds) {
    if (givenUp + retrying === 0) continue
    for (let some = -1; some !== 0; all += some) some = (await retryJobs(deps, kind, actor)).jobs
  }
  return all
}

async function retryNamed({ db, clock, personal }: CommandDeps, id: string): Promise<void> {
  const tenantId = await getConsoleTenantId(db)
  await db.transaction(async (tx) => {
    const kind = await retryOne(tx, id, clock.now())
    if (kind === undefined)
      throw new CommandRefused(`no failed job has the id ${JSON.stringify(id)}: see bailiwick jobs`)
    const data = { kind, jobs: 1 }
    const event = { tenantId, type: 'deployment.jobs_retried', actor, subjectId: tenantId, data } as const
    await tx.run(eventStatement(clock, personal, event))
  })
}

/** Makes one failed job, or all of them, due now. A running service does them; so does the next one that is started. */
export async function retry(config: Config, id: string | undefined, options: { failed?: true }): Promise<Outcome> {
  if ((id === undefined) === (options.failed !== true)) {
    throw new CommandRefused('name one job by its id, or all of them by --failed', exitStatus.usage)
  }
  return writing(config, async (deps) => {
    const count = id === undefined ? await retryFailedOfAll(deps) : await retryNamed(deps, id).then(() => 1)
    return { text: `${count} failed ${count === 1 ? 'job is' : 'jobs are'} due now.`, json: { jobs: count } }
  })
}
