// The last test of each connection: what the provider said of the person who signed in for it, for a day.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    `CREATE TABLE connection_tests (tenant_id ${required}, connection_id ${required}, state ${required},
      sealed_report ${text}, created_at ${required}, expires_at ${required},
      CONSTRAINT connection_tests_pkey PRIMARY KEY (tenant_id, connection_id),
      FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE INDEX connection_tests_expiry ON connection_tests (expires_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
