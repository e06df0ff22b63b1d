// Migrations 0007, 0009 and 0017 were extended before the first release, after some databases had applied them. This adds what those
// databases lack. Where nothing is missing, only pending password resets are lost.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    `CREATE TABLE IF NOT EXISTS idempotency_keys (tenant_id ${required}, id ${required}, request_id ${required},
      sealed ${required}, has_answer INTEGER NOT NULL, created_at ${required},
      CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, id))`,
    'CREATE INDEX IF NOT EXISTS idempotency_keys_age ON idempotency_keys (created_at)',
    `CREATE INDEX IF NOT EXISTS organization_domains_list
      ON organization_domains (tenant_id, organization_id, created_at)`,
    `CREATE INDEX IF NOT EXISTS organization_invitations_address
      ON organization_invitations (tenant_id, organization_id, email_key)`,

    // SQLite cannot add a column only if it is missing, so the table is made again. Its rows expire within minutes; users ask for another
    // reset.
    'DROP TABLE password_resets',
    `CREATE TABLE password_resets (tenant_id ${required}, id ${required}, user_id ${text}, status ${required},
      contact_kind ${text}, contact_id ${text}, expires_at ${required}, created_at ${required}, updated_at ${required},
      CONSTRAINT password_resets_pkey PRIMARY KEY (id, tenant_id),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX password_resets_created_key ON password_resets (tenant_id, created_at)',
    'CREATE INDEX password_resets_user ON password_resets (tenant_id, user_id) WHERE user_id IS NOT NULL',
    'CREATE INDEX password_resets_expiry ON password_resets (expires_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
