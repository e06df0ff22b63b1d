// The channels that messages go through.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    `CREATE TABLE channels (tenant_id ${required}, id ${required}, name ${required}, name_key ${required}, key ${required},
      description ${text}, type ${required}, provider ${required}, enabled INTEGER NOT NULL, settings ${required},
      sealed_secrets ${required}, created_at ${required}, updated_at ${required},
      CONSTRAINT channels_pkey PRIMARY KEY (id, tenant_id),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX channels_created_key ON channels (tenant_id, created_at)',
    'CREATE UNIQUE INDEX channels_name_key ON channels (tenant_id, name_key)',
    'CREATE UNIQUE INDEX channels_key_key ON channels (tenant_id, key)',
    'CREATE INDEX templates_type ON templates (tenant_id, type, created_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
