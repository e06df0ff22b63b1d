// Imports of users that go on after their request has been answered.
import type { ImportJob, ImportSummary, ImportedLine } from '@bailiwick/contract'
import { addToCounters, readCounters } from '../../platform/db/counters.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectPage } from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { openAnswers, partId } from './parts.ts'
import { importCounts, presentImportJob } from './present.ts'
import * as queries from './queries.ts'
import { importJobsCounter } from './tables.ts'
import { importJobKind } from './work.ts'

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listImportJobs(deps: Deps, tenantId: TenantId, query: PageQuery) {
  await getTenant(deps, tenantId)
  const request = pageRequest(query)
  const [page, counters] = await Promise.all([
    selectPage(deps.db, queries.importJobSource(tenantId), request),
    readCounters(deps.db, tenantId, [importJobsCounter]),
  ])
  const total = counters.get(importJobsCounter) ?? 0
  return pageEnvelope(page, page.rows.map(presentImportJob), total, request.perPage)
}

/** @throws ApiError not_found */
async function findImportJob({ db }: Deps, tenantId: TenantId, id: string): Promise<queries.ImportJobRow> {
  const row = await queries.selectImportJob(db, tenantId, id)
  if (row === undefined) throw notFound()
  return row
}

/** @throws ApiError not_found */
export const getImportJob = async (deps: Deps, tenantId: TenantId, id: string): Promise<ImportJob> =>
  presentImportJob(await findImportJob(deps, tenantId, id))

/**
 * Returns the answers to the lines that are done, as newline-delimited JSON, a part at a time, and the summary last if all are.
 * @param status of the answers, if not all are wanted.
 * @throws ApiError not_found
 */
export async function readImportJobResults(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  status: ImportedLine['status'] | undefined,
): Promise<AsyncIterable<string>> {
  const job = await findImportJob(deps, tenantId, id)
  return resultLines(deps, job, status)
}

async function* resultLines(
  { db, sealer }: Deps,
  job: queries.ImportJobRow,
  status: ImportedLine['status'] | undefined,
) {
  const { tenant_id: tenantId, id, created_lines: created, existing_lines: exists, refused_lines: error } = job
  let read = 0
  for (let number = 0; read < job.lines_done; number++) {
    const part = await queries.selectPart(db, tenantId, partId(id, number))
    // The job was removed meanwhile: without a summary the reader knows that the results end early.
    if (part === undefined) return
    // What was imported after the job was read belongs to a later answer.
    const answers = openAnswers(sealer, part).slice(0, job.lines_done - read)
    if (answers.length === 0) return
    read += answers.length
    const wanted = status === undefined ? answers : answers.filter((answer) => answer.status === status)
    if (wanted.length > 0) yield wanted.map((answer) => `${JSON.stringify(answer)}\n`).join('')
  }
  const last: ImportSummary = { summary: { created, exists, error } }
  if (job.state === 'completed') yield `${JSON.stringify(last)}\n`
}

/** Removes a job, whose parts follow soon. Changes nothing if it is gone. */
export async function removeImportJob({ db, clock }: Deps, { tenant_id: tenantId, id }: queries.ImportJobRow) {
  await db.transaction(async (tx) => {
    if ((await tx.run(queries.deleteImportJob(tenantId, id))) === 0) return
    await tx.run(addToCounters(tx, tenantId, { [importJobsCounter]: -1 }))
    await tx.run(jobStatement(clock, { tenantId, kind: importJobKind, key: id }))
  })
}

/**
 * Removes a job with its lines and results. Of lines that are not imported yet none is after that.
 * @throws ApiError not_found
 */
export async function deleteImportJob(deps: Deps, tenantId: TenantId, id: string, actor: Actor): Promise<ImportJob> {
  const { db, clock, personal } = deps
  return db.transaction(async (tx) => {
    const row = await queries.selectImportJobForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    await tx.run(queries.deleteImportJob(tenantId, id))
    await tx.run(addToCounters(tx, tenantId, { [importJobsCounter]: -1 }))
    await tx.run(jobStatement(clock, { tenantId, kind: importJobKind, key: id }))
    const data = { ...importCounts(row), state: row.state }
    await tx.run(eventStatement(clock, personal, { tenantId, type: 'import_job.deleted', actor, subjectId: id, data }))
    return presentImportJob(row)
  })
}
