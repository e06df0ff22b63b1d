// Imports the lines of a job, part after part, on whatever node holds it. The users of some lines, their answers and the progress are one
// transaction, which is refused if the progress is no longer what it was: so no line is imported twice, even if two nodes hold the job.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportedLine } from '@bailiwick/contract'
import { addMilliseconds } from '../../platform/clock.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Job, JobHandler, JobResult } from '../../platform/jobs/jobs.ts'
import { fromJson } from '../../platform/json-text.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { type Import, type PreparedLine, importLines, roleFinder, userStatements } from '../people/import-batch.ts'
import { plannerRefresher } from '../people/planner-statistics.ts'
import { openAnswers, openLines, partId, sealAnswers } from './parts.ts'
import { importCounts } from './present.ts'
import * as queries from './queries.ts'

export const importJobKind = 'import_jobs.import'

/** Then the job goes to the end of the queue, so that other tenants' jobs get its place. */
const stretchMs = 10_000
const partsRemovedAtOnce = 50
/** How long the job of a deleted tenant waits for the tenant to be restored or erased. */
const deletedTenantWaitMs = 60 * 60_000

/** Thrown in a transaction that is not the next one of its job: it was cancelled, or another node works on it. */
class Overtaken extends Error {}

const countOf = (answers: readonly ImportedLine[], status: ImportedLine['status']) =>
  answers.filter((answer) => answer.status === status).length

/** Follows the progress of a job that this node works on. */
class Worker {
  readonly #deps: Deps
  job: queries.ImportJobRow
  readonly #run: Import
  /** The part that is being imported, and its answers so far. */
  #part = { id: '', lineCount: 0 }
  #answers: readonly ImportedLine[] = []

  constructor(deps: Deps, job: queries.ImportJobRow) {
    this.#deps = deps
    this.job = job
    const { tenant_id: tenantId } = job
    this.#run = {
      deps,
      tenantId,
      actor: fromJson(job.actor),
      findRole: roleFinder(deps, tenantId),
      write: (users, answers) => this.#write(users, answers),
    }
  }

  /** Imports what is left of the next part. @throws Overtaken */
  async importPart() {
    const { db, sealer } = this.#deps
    const { tenant_id: tenantId, id, parts_done: number } = this.job
    const row = await queries.selectPart(db, tenantId, partId(id, number))
    if (row?.sealed_lines === undefined || row.sealed_lines === null) throw new Overtaken()
    const lines = openLines(sealer, row, row.sealed_lines)
    this.#answers = openAnswers(sealer, row)
    this.#part = { id: row.id, lineCount: lines.length }
    await importLines(this.#run, lines.slice(this.#answers.length))
  }

  #advanced(answers: readonly ImportedLine[], isPartDone: boolean): queries.ImportJobRow {
    const { job } = this
    const now = this.#deps.clock.now()
    const done = job.lines_done + answers.length
    const isLast = done === job.lines_total
    return {
      ...job,
      lines_done: done,
      parts_done: job.parts_done + (isPartDone ? 1 : 0),
      created_lines: job.created_lines + countOf(answers, 'created'),
      existing_lines: job.existing_lines + countOf(answers, 'exists'),
      refused_lines: job.refused_lines + countOf(answers, 'error'),
      state: isLast ? 'completed' : 'running',
      finished_at: isLast ? now : null,
      updated_at: now,
    }
  }

  async #write(users: readonly PreparedLine[], answers: readonly ImportedLine[]) {
    const { db, clock, personal, sealer } = this.#deps
    const { tenant_id: tenantId, id } = this.job
    const all = [...this.#answers, ...answers]
    const isPartDone = all.length === this.#part.lineCount
    const part = { tenant_id: tenantId, id: this.#part.id }
    const sealedAnswers = sealAnswers(sealer, part, all)
    const after = await db.transaction(async (tx) => {
      const job = this.#advanced(answers, isPartDone)
      if ((await tx.run(queries.advanceImportJob(this.job, job))) === 0) throw new Overtaken()
      const row = { ...part, sealed_answers: sealedAnswers }
      await tx.run(isPartDone ? queries.finishPart({ ...row, sealed_lines: null }) : queries.updateAnswers(row))
      if (users.length > 0) await tx.runAll(userStatements(this.#run, tx, users))
      if (job.state === 'completed') {
        const { actor } = this.#run
        const event = { tenantId, type: 'import_job.completed', actor, subjectId: id, data: importCounts(job) } as const
        await tx.run(eventStatement(clock, personal, event))
      }
      return job
    })
    this.job = after
    this.#answers = all
  }
}

/** Removes what is left of a job that was removed or given up. */
async function removeParts({ db }: Deps, { tenantId, key }: Job, remove: typeof queries.deleteParts) {
  while ((await db.write(() => [remove(tenantId, key, partsRemovedAtOnce)])) > 0) await nextTurn()
}

const isTenantThere = (deps: Deps, { tenantId }: Job) =>
  getTenant(deps, tenantId).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError && error.code === 'not_found') return false
      throw error
    },
  )

async function work(deps: Deps, job: Job, signal: AbortSignal): Promise<JobResult> {
  const { clock, db } = deps
  const found = await queries.selectImportJob(db, job.tenantId, job.key)
  if (found === undefined) {
    await removeParts(deps, job, queries.deleteParts)
    return 'done'
  }
  if (found.state === 'failed') {
    await removeParts(deps, job, queries.deleteWaitingParts)
    await db.write(() => [queries.forgetLines(job.tenantId, job.key)])
    return 'done'
  }
  if (found.state !== 'running') return 'done'
  if (!(await isTenantThere(deps, job))) return { againAt: addMilliseconds(clock.now(), deletedTenantWaitMs) }
  const worker = new Worker(deps, found)
  const refreshPlanner = plannerRefresher(db)
  const endsAt = performance.now() + stretchMs
  while (worker.job.state === 'running' && !signal.aborted && performance.now() < endsAt) {
    await worker.importPart()
    await refreshPlanner(worker.job.created_lines)
    // On SQLite nothing here ever waits for I/O, so requests would not get a turn.
    await nextTurn()
  }
  return worker.job.state === 'running' ? { againAt: clock.now() } : 'done'
}

export const importJobHandler = (deps: Deps): JobHandler => ({
  async run(job, signal) {
    try {
      return await work(deps, job, signal)
    } catch (error) {
      // The next run sees what has become of it.
      if (error instanceof Overtaken) return { againAt: deps.clock.now() }
      throw error
    }
  },
})
