import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { importJobBytesMax } from '../../formats/import-limits.ts'
import { id, object, oneOf, optional, page, pageQuery } from '../../schema.ts'
import { ImportAnswer, ImportJob, ImportedUser, importedLineStatuses } from '../../shapes/identity/user-transfer.ts'

const tag = 'Users'
const oneJob = {
  tag,
  tenant: { locates: 'import_jobs', by: 'params.id' },
  params: object({ id: id() }),
  errors: ['not_found'],
} as const

export const createImportJob = endpoint({
  id: 'createImportJob',
  method: 'POST',
  path: '/auth/users/import-jobs',
  tag,
  summary: 'Import users in the background',
  description: `Takes the same lines as the import that answers each of them, at most 64 MiB and 250,000 lines, and answers once they have arrived. The lines are then imported in their order, each once, also when a node is stopped or killed. A tenant may have three unfinished imports.`,
  permission: 'users:write',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  body: ImportedUser,
  bodyType: 'application/x-ndjson',
  bodyBytesMax: importJobBytesMax,
  response: ImportJob,
  errors: ['not_found', 'import_job_limit_reached', 'too_many_streams'],
  example: {
    query: { tenantId: sample.tenantId },
    body: { email: sample.email, emailVerified: true, name: 'Ada' },
    response: sample.importJob,
  },
})

export const listImportJobs = endpoint({
  id: 'listImportJobs',
  method: 'GET',
  path: '/auth/users/import-jobs',
  tag,
  summary: "A tenant's imports in the background, newest first",
  permission: 'users:read',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id(), ...pageQuery.properties }),
  response: page(ImportJob),
  errors: ['not_found'],
  example: { query: { tenantId: sample.tenantId }, response: pageOf(sample.importJob) },
})

export const getImportJob = endpoint({
  ...oneJob,
  id: 'getImportJob',
  method: 'GET',
  path: '/auth/users/import-jobs/{id}',
  summary: 'Read how far an import is',
  permission: 'users:read',
  response: ImportJob,
  example: { params: { id: sample.importJob.id }, response: sample.importJob },
})

export const readImportJobResults = endpoint({
  ...oneJob,
  id: 'readImportJobResults',
  method: 'GET',
  path: '/auth/users/import-jobs/{id}/results',
  summary: 'Read what became of each line',
  description:
    'One line for each line that was imported so far, in their order, and last, once the import has finished, a line with the `summary`.',
  permission: 'users:read',
  query: object({ status: optional(oneOf(importedLineStatuses, { description: 'Only lines with this status' })) }),
  response: ImportAnswer,
  responseType: 'application/x-ndjson',
  errors: ['not_found', 'too_many_streams'],
  example: { params: { id: sample.importJob.id }, response: { line: 1, status: 'created', id: sample.userId } },
})

export const deleteImportJob = endpoint({
  ...oneJob,
  id: 'deleteImportJob',
  method: 'DELETE',
  path: '/auth/users/import-jobs/{id}',
  summary: 'Cancel an import, or remove one that has finished',
  description: 'Nothing more is imported after the answer, which has the last counts. Users who were created stay.',
  permission: 'users:write',
  response: ImportJob,
  example: { params: { id: sample.importJob.id }, response: sample.importJob },
})
