// Tokens with which tenants act for their users at social providers, and those that are yet to be revoked there.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { flag, ofTenant, ofUser, textOf } from './version-0-1-0/columns.ts'

function statements(engine: EngineName): string[] {
  const { text, required } = textOf(engine)
  return [
    ...['social_providers', 'custom_providers'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN keep_tokens ${flag}`,
      `ALTER TABLE ${table} ADD COLUMN token_scopes ${text}`,
    ]),
    `ALTER TABLE oauth_states ADD COLUMN access_scopes ${text}`,
    // A connection that is removed takes its tokens along, however it is removed.
    `CREATE TABLE provider_tokens (tenant_id ${required}, id ${required}, user_id ${required}, connection_id ${required},
      provider_key ${required}, scopes ${required}, state ${required}, sealed_tokens ${text}, expires_at ${text}, refresh_at ${text},
      lease ${text}, leased_until ${text}, last_used_at ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT provider_tokens_pkey PRIMARY KEY (id, tenant_id), ${ofTenant}, ${ofUser},
      FOREIGN KEY (tenant_id, connection_id) REFERENCES social_connections (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX provider_tokens_created_key ON provider_tokens (tenant_id, created_at)',
    'CREATE UNIQUE INDEX provider_tokens_connection_key ON provider_tokens (tenant_id, connection_id)',
    'CREATE INDEX provider_tokens_user ON provider_tokens (tenant_id, user_id)',
    `CREATE TABLE provider_revocations (tenant_id ${required}, id ${required}, provider_key ${required}, issuer ${required},
      sealed_tokens ${required}, created_at ${required}, updated_at ${required},
      CONSTRAINT provider_revocations_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX provider_revocations_created_key ON provider_revocations (tenant_id, created_at)',
    'CREATE INDEX provider_revocations_age ON provider_revocations (created_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
