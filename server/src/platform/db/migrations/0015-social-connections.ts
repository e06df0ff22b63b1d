// Accounts at social providers that sign users in, and the authorization flows that are under way.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  const ofTenant = 'FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE'
  const ofUser = 'FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE'
  return [
    // is_unproven: connected with an account for which nobody has proven to own an address; removed when somebody does.
    `CREATE TABLE social_connections (tenant_id ${required}, id ${required}, user_id ${required}, provider_key ${required},
      issuer ${required}, subject ${required}, email ${text}, is_unproven INTEGER NOT NULL DEFAULT 0, created_at ${required},
      updated_at ${required}, CONSTRAINT social_connections_pkey PRIMARY KEY (id, tenant_id), ${ofTenant}, ${ofUser})`,
    'CREATE UNIQUE INDEX social_connections_created_key ON social_connections (tenant_id, created_at)',
    'CREATE UNIQUE INDEX social_connections_subject_key ON social_connections (tenant_id, provider_key, issuer, subject)',
    'CREATE INDEX social_connections_user ON social_connections (tenant_id, user_id)',

    // A state is found by its hash alone, before its tenant is known. Its stage: open, used, ticket.
    `CREATE TABLE oauth_states (tenant_id ${required}, state_hash ${required}, stage ${required}, purpose ${required},
      flow_id ${required}, flow_hash ${required}, user_id ${text}, provider_id ${required}, provider_key ${required},
      transport ${required}, own_host ${text}, callback_uri ${required}, return_uri ${required},
      sealed_secrets ${required}, ticket_hash ${text}, sealed_identity ${text}, expires_at ${required},
      created_at ${required}, CONSTRAINT oauth_states_pkey PRIMARY KEY (tenant_id, state_hash), ${ofTenant}, ${ofUser})`,
    'CREATE UNIQUE INDEX oauth_states_hash ON oauth_states (state_hash)',
    'CREATE INDEX oauth_states_flow ON oauth_states (tenant_id, flow_id)',
    'CREATE INDEX oauth_states_user ON oauth_states (tenant_id, user_id) WHERE user_id IS NOT NULL',
    'CREATE INDEX oauth_states_expiry ON oauth_states (expires_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
