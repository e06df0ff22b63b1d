// Tenants whose own wording the operator lets through the deployment's channel, and the account whose daily quota the tenants of an invited
// console user use up.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const required = engine === 'postgresql' ? 'TEXT COLLATE "C" NOT NULL' : 'TEXT NOT NULL'
  const ofTenant = 'FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE'
  return [
    `CREATE TABLE trusted_tenants (tenant_id ${required}, created_at ${required},
      CONSTRAINT trusted_tenants_pkey PRIMARY KEY (tenant_id), ${ofTenant})`,
    `CREATE TABLE sending_accounts (tenant_id ${required}, user_id ${required}, account_id ${required},
      created_at ${required}, CONSTRAINT sending_accounts_pkey PRIMARY KEY (tenant_id, user_id), ${ofTenant},
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE)`,
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
