// Addresses that wait to be let in by a tenant whose sign-up is closed.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { ofTenant, textOf } from './version-0-1-0/columns.ts'

function statements(engine: EngineName): string[] {
  const { text, required } = textOf(engine)
  return [
    `CREATE TABLE waitlist_entries (tenant_id ${required}, id ${required}, email ${required}, email_key ${required},
      status ${required}, token_hash ${text}, approved_at ${text}, expires_at ${text}, created_at ${required},
      updated_at ${required}, CONSTRAINT waitlist_entries_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX waitlist_entries_created_key ON waitlist_entries (tenant_id, created_at)',
    'CREATE UNIQUE INDEX waitlist_entries_email_key ON waitlist_entries (tenant_id, email_key)',
    'CREATE UNIQUE INDEX waitlist_entries_token_key ON waitlist_entries (tenant_id, token_hash)',
    'CREATE INDEX waitlist_entries_status ON waitlist_entries (tenant_id, status, created_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
