// The RSA keys of tenants, apart from those of signing_keys, of which the previous version signs with the newest one, whatever its kind; and
// the algorithm of each application.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    `CREATE TABLE rsa_signing_keys (tenant_id ${required}, id ${required}, kid ${required}, public_pem ${required},
      sealed_private_pem ${required}, retired_at ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT rsa_signing_keys_pkey PRIMARY KEY (id, tenant_id),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX rsa_signing_keys_created_key ON rsa_signing_keys (tenant_id, created_at)',
    'CREATE UNIQUE INDEX rsa_signing_keys_kid_key ON rsa_signing_keys (tenant_id, kid)',
    `ALTER TABLE applications ADD COLUMN id_token_alg ${required} DEFAULT 'ES256'`,
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
