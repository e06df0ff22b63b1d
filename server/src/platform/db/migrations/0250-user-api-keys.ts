// API keys of users and organizations. Those with which a user acts in an organization end with the membership.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    `CREATE TABLE user_api_keys (tenant_id ${required}, id ${required}, user_id ${text}, organization_id ${text},
      creator_id ${text}, name ${required}, hash ${required}, prefix ${required}, last4 ${required}, scopes ${required},
      expires_at ${text}, last_used_at ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT user_api_keys_pkey PRIMARY KEY (id, tenant_id),
      CONSTRAINT user_api_keys_owner CHECK (user_id IS NOT NULL OR organization_id IS NOT NULL),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, organization_id, user_id)
        REFERENCES organization_members (tenant_id, organization_id, user_id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX user_api_keys_created_key ON user_api_keys (tenant_id, created_at)',
    'CREATE UNIQUE INDEX user_api_keys_hash_key ON user_api_keys (tenant_id, hash)',
    'CREATE INDEX user_api_keys_user ON user_api_keys (tenant_id, user_id, created_at)',
    'CREATE INDEX user_api_keys_organization ON user_api_keys (tenant_id, organization_id, user_id, created_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
