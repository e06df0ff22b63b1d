// The connections of organizations to their own identity providers, who people are there, and which domains were verified by DNS.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  const references = (columns: string, table: string) =>
    `FOREIGN KEY (tenant_id, ${columns}) REFERENCES ${table} (tenant_id, id) ON DELETE CASCADE`
  return [
    // Nobody knows any more which of the domains that are verified already were verified by DNS: those have to be checked again.
    `ALTER TABLE organization_domains ADD COLUMN dns_verified_at ${text}`,

    `CREATE TABLE connections (tenant_id ${required}, id ${required}, organization_id ${required}, type ${required},
      name ${required}, state ${required}, settings ${required}, secret ${text}, role_rules ${required}, jit ${required},
      required INTEGER NOT NULL, fallback_user_ids ${required}, second_factor ${required}, tested_at ${text},
      created_at ${required}, updated_at ${required}, CONSTRAINT connections_pkey PRIMARY KEY (id, tenant_id),
      ${references('organization_id', 'organizations')})`,
    'CREATE UNIQUE INDEX connections_created_key ON connections (tenant_id, created_at)',
    'CREATE INDEX connections_list ON connections (tenant_id, organization_id, created_at)',

    `CREATE TABLE connection_identities (tenant_id ${required}, connection_id ${required}, subject ${required},
      organization_id ${required}, user_id ${required}, created_at ${required}, last_used_at ${required},
      CONSTRAINT connection_identities_pkey PRIMARY KEY (tenant_id, connection_id, subject),
      ${references('connection_id', 'connections')}, ${references('user_id', 'users')})`,
    'CREATE UNIQUE INDEX connection_identities_user_key ON connection_identities (tenant_id, user_id, connection_id)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
