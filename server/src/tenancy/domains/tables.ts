import { flag, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { DomainId } from '../../platform/ids.ts'

export const domains = table(
  'domains',
  {
    ...record<DomainId>(),
    ...many(text(), 'name', 'name_key', 'verification_token'),
    is_primary: flag().default(0),
    type: text<'protocol' | 'external'>(),
    verified_at: time().nullable(),
    verification_reason: text().nullable(),
  },
  { refusals: { domains_verified_key: 'domain_taken' } },
)
