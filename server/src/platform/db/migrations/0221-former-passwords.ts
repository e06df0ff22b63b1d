// Passwords that users had before, for tenants that take none of them again.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const required = `${engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'} NOT NULL`
  return [
    `CREATE TABLE former_passwords (tenant_id ${required}, user_id ${required}, hash ${required}, set_at ${required},
      CONSTRAINT former_passwords_pkey PRIMARY KEY (tenant_id, user_id, set_at),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE)`,
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
