import { importJobStates } from '@bailiwick/contract'
import { integer, json, many, record, text, time, id } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { ImportJobId, TenantId } from '../../platform/ids.ts'

/** The counter of a tenant's jobs. */
export const importJobsCounter = 'import_jobs'

const notExported = 'work under way is done where it was begun'

export const importJobs = table(
  'import_jobs',
  {
    ...record<ImportJobId>(),
    state: text<(typeof importJobStates)[number]>(),
    /** Who sent the lines, as the events of the users say. */
    actor: json<Actor>(),
    ...many(integer(), 'lines_total', 'lines_done', 'parts_done', 'created_lines', 'existing_lines', 'refused_lines'),
    finished_at: time().nullable(),
  },
  { counted: [{ counter: importJobsCounter }], notExported },
)

/** Some lines of a job. Their data of users is removed as soon as they are imported. */
export const importJobParts = table(
  'import_job_parts',
  {
    tenant_id: id<TenantId>(),
    /** The id of the job and the number of the part. */
    id: text(),
    ...many(text().nullable(), 'sealed_lines', 'sealed_answers'),
  },
  { sealed: { sealed_lines: 'lines', sealed_answers: 'answers' }, walkedBy: ['id'], notExported },
)
