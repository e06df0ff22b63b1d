// Stores the lines of a body as an import job.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ImportJob, importJobLinesMax } from '@bailiwick/contract'
import { addToCounters } from '../../platform/db/counters.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { readLines } from '../../platform/http/body/ndjson.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'
import { toJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { removeImportJob } from './import-jobs.ts'
import { type PartRow, PartMaker } from './parts.ts'
import { importCounts, presentImportJob } from './present.ts'
import * as queries from './queries.ts'
import { importJobsCounter } from './tables.ts'
import { importJobKind } from './work.ts'

/** How many imports of a tenant may be unfinished. */
const unfinishedMax = 3
/** How many parts one statement writes. */
const partsAtOnce = 8

async function begin({ db, clock }: Deps, tenantId: TenantId, actor: Actor): Promise<queries.ImportJobRow> {
  const id = newId<'ImportJobId'>()
  const { language: _, ...stored } = actor
  return db.transaction(async (tx) => {
    await tx.run(queries.lockTenant(tenantId))
    const unfinished = await queries.selectUnfinished(tx, tenantId, unfinishedMax)
    if (unfinished.length >= unfinishedMax) throw new ApiError('import_job_limit_reached')
    const at = clock.next()
    const row: queries.ImportJobRow = {
      tenant_id: tenantId,
      id,
      state: 'receiving',
      actor: toJson<Actor>(stored),
      lines_total: 0,
      lines_done: 0,
      parts_done: 0,
      created_lines: 0,
      existing_lines: 0,
      refused_lines: 0,
      finished_at: null,
      created_at: at,
      updated_at: at,
    }
    await tx.run(queries.insertImportJob(row))
    await tx.run(addToCounters(tx, tenantId, { [importJobsCounter]: 1 }))
    return row
  })
}

/** Writes all lines, some parts at a time, and returns how many there are. */
async function writeParts({ db, sealer }: Deps, job: queries.ImportJobRow, body: AsyncIterable<Uint8Array>) {
  const maker = new PartMaker(sealer, job.tenant_id, job.id)
  let full: PartRow[] = []
  let lineCount = 0
  const write = async () => {
    const rows = full
    full = []
    if (rows.length > 0) await db.write(() => [queries.insertParts(rows)])
    await nextTurn()
  }
  const keep = async (part: PartRow | undefined) => {
    if (part !== undefined && full.push(part) === partsAtOnce) await write()
  }
  for await (const lines of readLines(body)) {
    lineCount += lines.length
    if (lineCount > importJobLinesMax) {
      throw new ApiError('payload_too_large', { detail: `An import job has at most ${importJobLinesMax} lines.` })
    }
    for (const line of lines) await keep(maker.take(line))
  }
  await keep(maker.finish())
  await write()
  return lineCount
}

/** Begins the work, or finishes a job without lines at once. */
async function start(deps: Deps, job: queries.ImportJobRow, lineCount: number, actor: Actor) {
  const { db, clock, personal } = deps
  const { tenant_id: tenantId, id } = job
  return db.transaction(async (tx) => {
    const now = clock.now()
    const running: queries.ImportJobRow = { ...job, state: 'running', lines_total: lineCount, updated_at: now }
    if ((await tx.run(queries.startImportJob(running))) === 0) throw new ApiError('not_found')
    const about = { tenantId, actor, subjectId: id }
    const created = { ...about, type: 'import_job.created', data: { lines: lineCount } } as const
    await tx.run(eventStatement(clock, personal, created))
    if (lineCount > 0) {
      await tx.run(jobStatement(clock, { tenantId, kind: importJobKind, key: id }))
      return running
    }
    const completed: queries.ImportJobRow = { ...running, state: 'completed', finished_at: now }
    await tx.run(queries.finishImportJob(completed))
    const event = { ...about, type: 'import_job.completed', data: importCounts(completed) } as const
    await tx.run(eventStatement(clock, personal, event))
    return completed
  })
}

/**
 * Stores a body of newline-delimited JSON as a job, which any node then works on.
 * @param body has arrived completely.
 * @throws ApiError import_job_limit_reached; payload_too_large for too many lines
 */
export async function createImportJob(
  deps: Deps,
  tenantId: TenantId,
  body: AsyncIterable<Uint8Array>,
  actor: Actor,
): Promise<ImportJob> {
  const job = await begin(deps, tenantId, actor)
  try {
    const lineCount = await writeParts(deps, job, body)
    return presentImportJob(await start(deps, job, lineCount, actor))
  } catch (error) {
    await removeImportJob(deps, job)
    throw error
  }
}
