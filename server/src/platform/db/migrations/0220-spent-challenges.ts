// Puzzles whose answers were used, so that each is used once.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const required = `${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'} NOT NULL`
  return [
    `CREATE TABLE spent_challenges (tenant_id ${required}, challenge ${required}, expires_at ${required},
      CONSTRAINT spent_challenges_pkey PRIMARY KEY (tenant_id, challenge),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE)`,
    'CREATE INDEX spent_challenges_expiry ON spent_challenges (expires_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
