import { CreateDomain, domainKey } from '@bailiwick/contract'
import { derived, fieldsOf, matching, shortText, verificationToken } from '../../platform/db/accepted.ts'
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
  {
    refusals: { domains_verified_key: 'domain_taken' },
    sharding: 'reference',
    accepts: {
      ...fieldsOf(CreateDomain),
      name_key: derived('name', domainKey),
      type: matching(/^(?:protocol|external)$/, 'must be protocol or external'),
      verification_token: verificationToken,
      verification_reason: shortText,
    },
  },
)
