// The keys that tenants make for their own programs, and the idempotency keys that make repeated requests recognisable.
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

    // Deleted after a day, so there is no foreign key: the operator's requests belong to no tenant.
    `CREATE TABLE idempotency_keys (tenant_id ${required}, id ${required}, request_id ${required}, sealed ${required},
      has_answer INTEGER NOT NULL, created_at ${required}, CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, id))`,
    'CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
