// The OpenID Connect providers of a tenant's own.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    `CREATE TABLE custom_providers (tenant_id ${required}, id ${required}, provider_key ${required}, name ${required},
      enabled INTEGER NOT NULL, issuer ${required}, client_id ${required}, sealed_client_secret ${text},
      redirect_uri ${text}, scopes ${required}, claims ${required}, trust_emails INTEGER NOT NULL,
      authenticatable INTEGER NOT NULL, auto_connect_accounts INTEGER NOT NULL, logo_id ${text},
      created_at ${required}, updated_at ${required},
      CONSTRAINT custom_providers_pkey PRIMARY KEY (id, tenant_id),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX custom_providers_created_key ON custom_providers (tenant_id, created_at)',
    'CREATE UNIQUE INDEX custom_providers_key ON custom_providers (tenant_id, provider_key)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
