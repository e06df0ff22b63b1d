// The applications that have signed a user in by a session, which are told when it ends.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const required = engine === 'postgresql' ? 'TEXT COLLATE "C" NOT NULL' : 'TEXT NOT NULL'
  const of = (column: string, parent: string) =>
    `FOREIGN KEY (tenant_id, ${column}) REFERENCES ${parent} (tenant_id, id) ON DELETE CASCADE`
  return [
    `CREATE TABLE session_followers (tenant_id ${required}, session_id ${required}, application_id ${required},
      sid ${required}, issuer ${required}, created_at ${required},
      CONSTRAINT session_followers_pkey PRIMARY KEY (tenant_id, session_id, application_id, sid),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
      ${of('session_id', 'sessions')}, ${of('application_id', 'applications')})`,
    'CREATE INDEX session_followers_application ON session_followers (tenant_id, application_id)',
    'CREATE INDEX session_followers_sid ON session_followers (tenant_id, sid)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
