// The terms by which users and organizations are found in the middle of their names and addresses. Records that exist get theirs step by
// step beside the requests: until then they are found as before.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { textOf } from './version-0-1-0/columns.ts'

function statements(engine: EngineName): string[] {
  const { text, required } = textOf(engine)
  const inKeyOnly = engine === 'sqlite' ? 'WITHOUT ROWID' : ''
  const ofRecords = (records: string, terms: string) => [
    `ALTER TABLE ${records} ADD COLUMN search_terms ${text}`,
    `CREATE INDEX ${records}_without_terms ON ${records} (tenant_id, created_at) WHERE search_terms IS NULL`,
    // Without references, whose checks would cost more than the rows: each is removed in the transaction that removes its record.
    `CREATE TABLE ${terms} (tenant_id ${required}, term ${required}, created_at ${required},
      CONSTRAINT ${terms}_pkey PRIMARY KEY (tenant_id, term, created_at)) ${inKeyOnly}`,
  ]
  return [...ofRecords('users', 'user_terms'), ...ofRecords('organizations', 'organization_terms')]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
