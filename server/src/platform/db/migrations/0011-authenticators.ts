// Second factors: authenticator apps, recovery codes, passkeys and the challenges that passkeys answer.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  const ofTenant = 'FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE'
  const ofUser = 'FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE'
  return [
    // At most one that is confirmed and one that is about to replace it, which belongs to the session that began it.
    `CREATE TABLE authenticator_codes (tenant_id ${required}, id ${required}, user_id ${required},
      is_confirmed INTEGER NOT NULL, session_id ${text}, sealed_secret ${required}, last_step BIGINT NOT NULL,
      last_used_at ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT authenticator_codes_pkey PRIMARY KEY (id, tenant_id), ${ofTenant}, ${ofUser})`,
    'CREATE UNIQUE INDEX authenticator_codes_user_key ON authenticator_codes (tenant_id, user_id, is_confirmed)',
    'CREATE UNIQUE INDEX authenticator_codes_created_key ON authenticator_codes (tenant_id, created_at)',

    `CREATE TABLE recovery_codes (tenant_id ${required}, user_id ${required}, code_hash ${required}, created_at ${required},
      CONSTRAINT recovery_codes_pkey PRIMARY KEY (tenant_id, user_id, code_hash), ${ofTenant}, ${ofUser})`,

    `CREATE TABLE passkeys (tenant_id ${required}, id ${required}, user_id ${required}, credential_id ${required},
      public_key ${required}, relying_party_id ${required}, name ${text}, transports ${required}, counter BIGINT NOT NULL,
      is_backup_eligible INTEGER NOT NULL, is_backed_up INTEGER NOT NULL, last_used_at ${text}, flagged_at ${text},
      created_at ${required}, updated_at ${required},
      CONSTRAINT passkeys_pkey PRIMARY KEY (id, tenant_id), ${ofTenant}, ${ofUser})`,
    'CREATE UNIQUE INDEX passkeys_credential_key ON passkeys (tenant_id, credential_id)',
    'CREATE UNIQUE INDEX passkeys_created_key ON passkeys (tenant_id, created_at)',
    'CREATE INDEX passkeys_user ON passkeys (tenant_id, user_id, created_at)',

    // Only the newest challenge of a purpose is valid; the subject is the session or attempt that it was made for.
    `CREATE TABLE passkey_challenges (tenant_id ${required}, subject ${required}, purpose ${required}, user_id ${text},
      challenge_hash ${required}, relying_party_id ${required}, expires_at ${required},
      CONSTRAINT passkey_challenges_pkey PRIMARY KEY (tenant_id, subject, purpose), ${ofTenant}, ${ofUser})`,
    'CREATE INDEX passkey_challenges_user ON passkey_challenges (tenant_id, user_id) WHERE user_id IS NOT NULL',
    'CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
