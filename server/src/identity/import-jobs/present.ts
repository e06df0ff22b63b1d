import type { ImportJob } from '@bailiwick/contract'
import type { ImportJobRow } from './queries.ts'

export const presentImportJob = (row: ImportJobRow): ImportJob => ({
  id: row.id,
  tenantId: row.tenant_id,
  state: row.state,
  linesTotal: row.lines_total,
  linesDone: row.lines_done,
  created: row.created_lines,
  exists: row.existing_lines,
  error: row.refused_lines,
  finishedAt: row.finished_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** What events say of a job. */
export const importCounts = (row: ImportJobRow) => ({
  lines: row.lines_total,
  created: row.created_lines,
  exists: row.existing_lines,
  error: row.refused_lines,
})
