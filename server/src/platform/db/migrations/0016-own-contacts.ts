// Addresses and numbers that users want to add to their account and have not verified yet. Several users may want the same one: the first
// to verify it gets it, by the constraint on verified ones.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const required = engine === 'postgresql' ? 'TEXT COLLATE "C" NOT NULL' : 'TEXT NOT NULL'
  return [
    `CREATE TABLE contact_candidates (tenant_id ${required}, id ${required}, user_id ${required}, kind ${required},
      value ${required}, value_key ${required}, expires_at ${required}, created_at ${required}, updated_at ${required},
      CONSTRAINT contact_candidates_pkey PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX contact_candidates_key ON contact_candidates (tenant_id, user_id, kind, value_key)',
    'CREATE UNIQUE INDEX contact_candidates_created_key ON contact_candidates (tenant_id, created_at)',
    'CREATE INDEX contact_candidates_expiry ON contact_candidates (expires_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
