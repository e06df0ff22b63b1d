// Looks after jobs that nobody works on any more.
import { addMilliseconds } from '../../platform/clock.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { removeImportJob } from './import-jobs.ts'
import { importCounts } from './present.ts'
import * as queries from './queries.ts'
import { importJobKind } from './work.ts'

const batchSize = 50
export const resultsKeptMs = 7 * 24 * 60 * 60_000
/** Longer than the largest body takes to be stored, so a job that is still being received then was left by a node that has died. */
const receivingMsMax = 10 * 60_000

/** Marks a job as failed whose work was given up, and has its lines removed. */
async function markFailed({ db, clock, personal }: Deps, { tenant_id: tenantId, id }: queries.ImportJobRow) {
  await db.transaction(async (tx) => {
    const row = await queries.selectImportJobForUpdate(tx, tenantId, id)
    if (row?.state !== 'running') return
    const now = clock.now()
    const failed: queries.ImportJobRow = { ...row, state: 'failed', finished_at: now, updated_at: now }
    await tx.run(queries.finishImportJob(failed))
    await tx.run(jobStatement(clock, { tenantId, kind: importJobKind, key: id }))
    const actor = fromJson(row.actor)
    const event = { tenantId, type: 'import_job.failed', actor, subjectId: id, data: importCounts(failed) } as const
    await tx.run(eventStatement(clock, personal, event))
  })
}

/** Does a bounded amount of work and returns whether there may be more. */
export async function cleanUpImportJobs(deps: Deps): Promise<boolean> {
  const { db, clock } = deps
  const before = (ms: number) => addMilliseconds(clock.now(), -ms)
  const givenUp = await queries.selectGivenUpJobs(db, importJobKind, batchSize)
  for (const row of givenUp) await markFailed(deps, row)
  const left = [
    await queries.selectJobsSince(db, 'receiving', before(receivingMsMax), batchSize),
    await queries.selectJobsSince(db, 'completed', before(resultsKeptMs), batchSize),
    await queries.selectJobsSince(db, 'failed', before(resultsKeptMs), batchSize),
  ]
  for (const row of left.flat()) await removeImportJob(deps, row)
  return [givenUp, ...left].some((rows) => rows.length === batchSize)
}
