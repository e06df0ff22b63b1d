import { flag, many, text, time } from '../db/columns.ts'
import { table } from '../db/table.ts'

export const idempotencyKeys = table(
  'idempotency_keys',
  {
    /** The caller's tenant; empty for the operator. */
    ...many(text(), 'tenant_id', 'sealed'),
    /** A hash of caller, operation and key. */
    id: text(),
    /** The request that took the key. */
    request_id: text(),
    has_answer: flag(),
    created_at: time(),
  },
  {
    key: ['tenant_id', 'id'],
    sealed: { sealed: 'sealed' },
    notExported: 'they are gone within a day',
  },
)
