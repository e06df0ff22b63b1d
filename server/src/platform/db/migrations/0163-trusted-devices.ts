// Devices on which a user has asked not to be asked for a second factor for some days.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    `CREATE TABLE trusted_devices (tenant_id ${required}, id ${required}, user_id ${required}, token_hash ${required},
      factor ${required}, browser ${text}, os ${text}, expires_at ${required}, created_at ${required},
      updated_at ${required}, CONSTRAINT trusted_devices_pkey PRIMARY KEY (id, tenant_id),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX trusted_devices_created_key ON trusted_devices (tenant_id, created_at)',
    'CREATE UNIQUE INDEX trusted_devices_token_key ON trusted_devices (tenant_id, user_id, token_hash)',
    'CREATE INDEX trusted_devices_age ON trusted_devices (expires_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
