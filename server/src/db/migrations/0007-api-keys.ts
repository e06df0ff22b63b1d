// The keys that tenants make for their own programs.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    `CREATE TABLE api_keys (tenant_id ${required}, id ${required}, name ${required}, hash ${required}, scopes ${required},
      last4 ${required}, expires_at ${text}, last_used_at ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT api_keys_pkey PRIMARY KEY (id, tenant_id),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX api_keys_created_key ON api_keys (tenant_id, created_at)',
    'CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (hash)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
