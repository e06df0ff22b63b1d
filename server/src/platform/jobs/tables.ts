import { integer, json, many, record, text, time } from '../db/columns.ts'
import { table } from '../db/table.ts'

export const jobs = table(
  'jobs',
  {
    ...record<string>(),
    ...many(text(), 'kind', 'key'),
    payload: json(),
    /** Consecutive failures. */
    attempts: integer().default(0),
    wakes: integer().default(0),
    /** Consecutive runs without a result. */
    lost_runs: integer().default(0),
    run_at: time(),
    ...many(text().nullable(), 'lease', 'last_error'),
    ...many(time().nullable(), 'leased_until', 'dead_at'),
  },
  { notExported: 'work under way is done where it was begun' },
)
