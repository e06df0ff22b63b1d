import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { importJobParts, importJobs } from './tables.ts'

export type ImportJobRow = RowOf<typeof importJobs>

export const importJobSource = importJobs.sourceOf
export const insertImportJob = importJobs.insert
export const selectImportJob = importJobs.byKey
export const selectImportJobForUpdate = importJobs.lock
export const deleteImportJob = importJobs.delete
export const insertParts = importJobParts.insertAll
export const selectPart = importJobParts.byKey
export const updateAnswers = importJobParts.update('sealed_answers')
export const finishPart = importJobParts.update('sealed_lines', 'sealed_answers')

/** Locks the tenant's row, so that jobs that are created at once are counted one after the other. */
export const lockTenant = (tenantId: TenantId): Statement =>
  sql`UPDATE tenants SET updated_at = updated_at WHERE id = ${tenantId}`

/** Selects the tenant's unfinished jobs, `limit` at most. */
export const selectUnfinished = (db: Reader, tenantId: TenantId, limit: number) =>
  importJobs.all(db)`tenant_id = ${tenantId} AND finished_at IS NULL LIMIT ${limit}`

/** Changes no row if the job was removed meanwhile. */
export const startImportJob = (row: Pick<ImportJobRow, 'tenant_id' | 'id' | 'updated_at' | 'lines_total'>): Statement =>
  sql`UPDATE import_jobs SET state = 'running', lines_total = ${row.lines_total}, updated_at = ${row.updated_at}
    WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND state = 'receiving'`

const setProgress = importJobs.set(
  'state',
  'lines_done',
  'parts_done',
  'created_lines',
  'existing_lines',
  'refused_lines',
  'finished_at',
  'updated_at',
)

/** Records progress. Changes no row if the job was removed or somebody else imported further lines meanwhile. */
export const advanceImportJob = (before: ImportJobRow, after: ImportJobRow): Statement =>
  sql`${setProgress(after)} WHERE tenant_id = ${after.tenant_id} AND id = ${after.id} AND state = 'running'
    AND lines_done = ${before.lines_done}`

export const finishImportJob = importJobs.update('state', 'finished_at', 'updated_at')

/** Selects some jobs of any tenant that are in a state since before a time. */
export const selectJobsSince = (db: Reader, state: ImportJobRow['state'], before: Timestamp, limit: number) =>
  importJobs.all(db)`state = ${state} AND updated_at < ${before} ORDER BY updated_at LIMIT ${limit}`

/** Selects some running jobs of any tenant whose work was given up. */
export const selectGivenUpJobs = (db: Reader, kind: string, limit: number) =>
  importJobs.all(db)`state = 'running' AND EXISTS (SELECT 1 FROM jobs j WHERE j.tenant_id = import_jobs.tenant_id
    AND j.kind = ${kind} AND j.key = import_jobs.id AND j.dead_at IS NOT NULL) LIMIT ${limit}`

const partsOf = (tenantId: TenantId, jobId: string): Fragment =>
  sql`tenant_id = ${tenantId} AND id >= ${`${jobId}:`} AND id < ${`${jobId};`}`

/** Deletes some parts of a job. */
export const deleteParts = (tenantId: TenantId, jobId: string, limit: number): Statement =>
  sql`DELETE FROM import_job_parts WHERE tenant_id = ${tenantId} AND id IN
    (SELECT id FROM import_job_parts WHERE ${partsOf(tenantId, jobId)} LIMIT ${limit})`

/** Deletes some parts of a job of which no line was imported. */
export const deleteWaitingParts = (tenantId: TenantId, jobId: string, limit: number): Statement =>
  sql`DELETE FROM import_job_parts WHERE tenant_id = ${tenantId} AND id IN (SELECT id FROM import_job_parts
    WHERE ${partsOf(tenantId, jobId)} AND sealed_answers IS NULL LIMIT ${limit})`

/** Removes the lines of a job's parts, of which some were imported. */
export const forgetLines = (tenantId: TenantId, jobId: string): Statement =>
  sql`UPDATE import_job_parts SET sealed_lines = NULL WHERE ${partsOf(tenantId, jobId)} AND sealed_lines IS NOT NULL`
