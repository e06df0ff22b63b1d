// What sign-in and sign-up need besides the attempts: the owner of a flow, codes and links, limits on guesses and sends, and known devices.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  const ofTenant = 'FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE'
  const ofUser = 'FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE'
  const attempts = ['sign_in_attempts', 'sign_up_attempts']
  return [
    // The hash of the token held by the browser that began the flow.
    ...attempts.map((name) => `ALTER TABLE ${name} ADD COLUMN flow_hash ${text}`),
    `ALTER TABLE sign_in_attempts ADD COLUMN first_factor ${text}`,
    // Sealed: what has been entered so far, and which of it has been proven.
    `ALTER TABLE sign_up_attempts ADD COLUMN sealed_fields ${text}`,

    // Set at sign-up by somebody who has not proven to own an address; it is removed when somebody does.
    'ALTER TABLE passwords ADD COLUMN is_unproven INTEGER NOT NULL DEFAULT 0',

    // Only the newest code of a purpose is valid in a flow.
    `CREATE TABLE verifications (tenant_id ${required}, purpose ${required}, flow_id ${required}, user_id ${text},
      address_key ${required}, kind ${required}, secret_hash ${required}, flow_hash ${text}, tries_left INTEGER NOT NULL,
      expires_at ${required}, created_at ${required},
      CONSTRAINT verifications_pkey PRIMARY KEY (tenant_id, flow_id, purpose), ${ofTenant}, ${ofUser})`,
    'CREATE INDEX verifications_user ON verifications (tenant_id, user_id) WHERE user_id IS NOT NULL',
    'CREATE INDEX verifications_expiry ON verifications (expires_at)',

    `CREATE TABLE quotas (tenant_id ${required}, name ${required}, subject ${required}, used INTEGER NOT NULL,
      window_ends_at ${required}, CONSTRAINT quotas_pkey PRIMARY KEY (tenant_id, name, subject), ${ofTenant})`,
    'CREATE INDEX quotas_end ON quotas (window_ends_at)',

    // Consecutive failures; a known device has a row of its own.
    `CREATE TABLE guesses (tenant_id ${required}, subject ${required}, device ${required}, failures INTEGER NOT NULL,
      blocked_until ${required}, updated_at ${required},
      CONSTRAINT guesses_pkey PRIMARY KEY (tenant_id, subject, device), ${ofTenant})`,
    'CREATE INDEX guesses_age ON guesses (updated_at)',

    `CREATE TABLE known_devices (tenant_id ${required}, user_id ${required}, token_hash ${required}, last_used_at ${required},
      CONSTRAINT known_devices_pkey PRIMARY KEY (tenant_id, user_id, token_hash), ${ofTenant}, ${ofUser})`,
    'CREATE INDEX known_devices_age ON known_devices (last_used_at)',

    `CREATE TABLE password_resets (tenant_id ${required}, id ${required}, user_id ${text}, status ${required},
      contact_kind ${text}, contact_id ${text}, expires_at ${required}, created_at ${required}, updated_at ${required},
      CONSTRAINT password_resets_pkey PRIMARY KEY (id, tenant_id), ${ofTenant}, ${ofUser})`,
    'CREATE UNIQUE INDEX password_resets_created_key ON password_resets (tenant_id, created_at)',
    'CREATE INDEX password_resets_user ON password_resets (tenant_id, user_id) WHERE user_id IS NOT NULL',
    'CREATE INDEX password_resets_expiry ON password_resets (expires_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
