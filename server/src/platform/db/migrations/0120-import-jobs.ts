// Imports of users that go on after their request has been answered, and their lines and results, some at a time.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  const ofTenant = 'FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE'
  return [
    `CREATE TABLE import_jobs (tenant_id ${required}, id ${required}, state ${required}, actor ${required},
      lines_total INTEGER NOT NULL, lines_done INTEGER NOT NULL, parts_done INTEGER NOT NULL,
      created_lines INTEGER NOT NULL, existing_lines INTEGER NOT NULL, refused_lines INTEGER NOT NULL,
      finished_at ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT import_jobs_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX import_jobs_created_key ON import_jobs (tenant_id, created_at)',
    'CREATE INDEX import_jobs_state ON import_jobs (state, updated_at)',

    // Without a foreign key to the job: the parts of a removed job are removed after it, some at a time.
    `CREATE TABLE import_job_parts (tenant_id ${required}, id ${required}, sealed_lines ${text}, sealed_answers ${text},
      CONSTRAINT import_job_parts_pkey PRIMARY KEY (tenant_id, id), ${ofTenant})`,
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
