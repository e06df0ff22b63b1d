// Users with their addresses and authenticators, organizations, and who administers tenants.
import type { EngineName } from '../../database.ts'
import { flag, ofTenant, ofUser, textOf } from './columns.ts'

export function people(engine: EngineName): string[] {
  const { text, required } = textOf(engine)
  const isPostgresql = engine === 'postgresql'

  return [
    // personal_salt: Personal data in events is sealed under a key derived from this salt; once the salt is gone, nobody can read it.
    `CREATE TABLE users (tenant_id ${required}, id ${required}, name ${text}, username ${text}, username_key ${text},
      image_uri ${text}, status ${required}, role_id ${text}, primary_email_id ${text}, primary_phone_id ${text},
      public_meta ${required}, private_meta ${required}, personal_salt ${required}, last_sign_in_at ${text},
      last_active_at ${text}, created_at ${required}, updated_at ${required}, name_key ${text}, last_word_key ${text},
      picture_id ${text}, CONSTRAINT users_pkey PRIMARY KEY (id, tenant_id), ${ofTenant},
      FOREIGN KEY (tenant_id, role_id) REFERENCES roles (tenant_id, id))`,
    'CREATE UNIQUE INDEX users_created_key ON users (tenant_id, created_at)',
    'CREATE UNIQUE INDEX users_username_key ON users (tenant_id, username_key)',
    // created_at is included so that a search reads nothing but the index.
    'CREATE INDEX users_name ON users (tenant_id, name_key, created_at) WHERE name_key IS NOT NULL',
    'CREATE INDEX users_last_word ON users (tenant_id, last_word_key, created_at) WHERE last_word_key IS NOT NULL',
    "CREATE INDEX users_status ON users (tenant_id, status, created_at) WHERE status <> 'active'",
    `CREATE INDEX users_role_status ON users (tenant_id, role_id, status, created_at) WHERE role_id IS NOT NULL AND status <>
      'active'`,
    'CREATE INDEX users_role ON users (tenant_id, role_id, created_at) WHERE role_id IS NOT NULL',
    'CREATE INDEX users_picture ON users (tenant_id, picture_id) WHERE picture_id IS NOT NULL',

    // kind: For a password of another service `hash` holds a sealed text, because some forms of it are weak or name a secret.
    // is_unproven: Set at sign-up by somebody who has not proven to own an address; it is removed when somebody does.
    // draw: A random number, by which one of a tenant's passwords is picked: a sign-in for an unknown user, or for one without a
    // password, must take as long as verifying a hash like the tenant's others. PostgreSQL also gives one to rows without it.
    `CREATE TABLE passwords (tenant_id ${required}, user_id ${required}, hash ${required}, created_at ${required},
      updated_at ${required}, kind ${required} DEFAULT 'own', must_change ${flag}, is_unproven ${flag},
      draw INTEGER NOT NULL DEFAULT ${isPostgresql ? 'CAST(floor(random() * 2147483648) AS INTEGER)' : '0'},
      CONSTRAINT passwords_pkey PRIMARY KEY (tenant_id, user_id), ${ofUser})`,
    'CREATE INDEX passwords_draw ON passwords (tenant_id, draw)',

    `CREATE TABLE email_addresses (tenant_id ${required}, id ${required}, user_id ${required}, email ${required},
      email_key ${required}, verified_at ${text}, created_at ${required}, updated_at ${required}, is_claimed ${flag},
      CONSTRAINT email_addresses_pkey PRIMARY KEY (id, tenant_id), ${ofUser})`,
    'CREATE UNIQUE INDEX email_addresses_created_key ON email_addresses (tenant_id, created_at)',
    'CREATE UNIQUE INDEX email_addresses_key ON email_addresses (tenant_id, email_key)',
    'CREATE INDEX email_addresses_user ON email_addresses (tenant_id, user_id, created_at)',

    `CREATE TABLE phone_numbers (tenant_id ${required}, id ${required}, user_id ${required}, phone ${required},
      verified_at ${text}, created_at ${required}, updated_at ${required}, is_claimed ${flag},
      CONSTRAINT phone_numbers_pkey PRIMARY KEY (id, tenant_id), ${ofUser})`,
    'CREATE UNIQUE INDEX phone_numbers_created_key ON phone_numbers (tenant_id, created_at)',
    'CREATE UNIQUE INDEX phone_numbers_key ON phone_numbers (tenant_id, phone)',
    'CREATE INDEX phone_numbers_user ON phone_numbers (tenant_id, user_id, created_at)',

    // Addresses and numbers that users want to add to their account and have not verified yet. Several users may want the same one: the
    // first to verify it gets it, by the constraint on verified ones.
    `CREATE TABLE contact_candidates (tenant_id ${required}, id ${required}, user_id ${required}, kind ${required},
      value ${required}, value_key ${required}, expires_at ${required}, created_at ${required}, updated_at ${required},
      CONSTRAINT contact_candidates_pkey PRIMARY KEY (tenant_id, id), ${ofTenant}, ${ofUser})`,
    'CREATE UNIQUE INDEX contact_candidates_key ON contact_candidates (tenant_id, user_id, kind, value_key)',
    'CREATE UNIQUE INDEX contact_candidates_created_key ON contact_candidates (tenant_id, created_at)',
    'CREATE INDEX contact_candidates_expiry ON contact_candidates (expires_at)',

    // The person is a user of the console's tenant, so the reference includes that tenant.
    `CREATE TABLE tenant_members (tenant_id ${required}, id ${required}, user_tenant_id ${required}, user_id ${required},
      role_admin ${flag}, role_edit_organizations ${flag}, role_edit_users ${flag}, role_edit_config ${flag},
      role_view_users ${flag}, role_view_organizations ${flag}, role_view_config ${flag}, role_view_billing ${flag},
      role_edit_billing ${flag}, created_at ${required}, updated_at ${required},
      CONSTRAINT tenant_members_pkey PRIMARY KEY (id, tenant_id), ${ofTenant},
      FOREIGN KEY (user_tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX tenant_members_created_key ON tenant_members (tenant_id, created_at)',
    'CREATE UNIQUE INDEX tenant_members_user_key ON tenant_members (tenant_id, user_id)',
    'CREATE INDEX tenant_members_user ON tenant_members (user_tenant_id, user_id, id)',
    'CREATE INDEX tenant_members_admins ON tenant_members (tenant_id, id) WHERE role_admin = 1',

    `CREATE TABLE tenant_invitations (tenant_id ${required}, id ${required}, email ${required}, email_key ${required},
      token_hash ${required}, expires_at ${required}, role_admin ${flag}, role_edit_organizations ${flag},
      role_edit_users ${flag}, role_edit_config ${flag}, role_view_users ${flag}, role_view_organizations ${flag},
      role_view_config ${flag}, role_view_billing ${flag}, role_edit_billing ${flag}, created_at ${required},
      updated_at ${required}, CONSTRAINT tenant_invitations_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX tenant_invitations_created_key ON tenant_invitations (tenant_id, created_at)',
    'CREATE UNIQUE INDEX tenant_invitations_email_key ON tenant_invitations (tenant_id, email_key)',
    'CREATE UNIQUE INDEX tenant_invitations_token_key ON tenant_invitations (token_hash)',
    'CREATE INDEX tenant_invitations_email ON tenant_invitations (email_key)',

    `CREATE TABLE organizations (tenant_id ${required}, id ${required}, creator_id ${text}, name ${required},
      slug ${required}, slug_key ${required}, image_uri ${text}, public_meta ${required}, private_meta ${required},
      created_at ${required}, updated_at ${required}, CONSTRAINT organizations_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX organizations_created_key ON organizations (tenant_id, created_at)',
    'CREATE UNIQUE INDEX organizations_slug_key ON organizations (tenant_id, slug_key)',
    'CREATE INDEX organizations_name ON organizations (tenant_id, name)',

    `CREATE TABLE organization_members (tenant_id ${required}, id ${required}, organization_id ${required},
      user_id ${required}, role_id ${text}, public_meta ${required}, private_meta ${required}, created_at ${required},
      updated_at ${required}, CONSTRAINT organization_members_pkey PRIMARY KEY (id, tenant_id),
      FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE, ${ofUser},
      FOREIGN KEY (tenant_id, role_id) REFERENCES roles (tenant_id, id))`,
    'CREATE UNIQUE INDEX organization_members_created_key ON organization_members (tenant_id, created_at)',
    'CREATE UNIQUE INDEX organization_members_user_key ON organization_members (tenant_id, organization_id, user_id)',
    'CREATE INDEX organization_members_list ON organization_members (tenant_id, organization_id, created_at)',
    'CREATE INDEX organization_members_user ON organization_members (tenant_id, user_id)',
    'CREATE INDEX organization_members_role ON organization_members (tenant_id, role_id) WHERE role_id IS NOT NULL',

    `CREATE TABLE organization_invitations (tenant_id ${required}, id ${required}, organization_id ${required},
      email ${required}, email_key ${required}, role_id ${text}, token_hash ${required}, expires_at ${required},
      accepted_at ${text}, declined_at ${text}, public_meta ${required}, private_meta ${required}, created_at ${required},
      updated_at ${required}, domain_id ${text}, CONSTRAINT organization_invitations_pkey PRIMARY KEY (id, tenant_id),
      FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, role_id) REFERENCES roles (tenant_id, id))`,
    'CREATE UNIQUE INDEX organization_invitations_created_key ON organization_invitations (tenant_id, created_at)',
    `CREATE UNIQUE INDEX organization_invitations_open_key ON organization_invitations (tenant_id, organization_id, email_key)
      WHERE accepted_at IS NULL AND declined_at IS NULL`,
    'CREATE UNIQUE INDEX organization_invitations_token_key ON organization_invitations (token_hash)',
    'CREATE INDEX organization_invitations_list ON organization_invitations (tenant_id, organization_id, created_at)',
    'CREATE INDEX organization_invitations_email ON organization_invitations (tenant_id, email_key)',
    'CREATE INDEX organization_invitations_address ON organization_invitations (tenant_id, organization_id, email_key)',

    // Several organizations of a tenant may claim the same domain; the first to prove it gets it. An invitation that was sent because
    // of a domain records which.
    `CREATE TABLE organization_domains (tenant_id ${required}, id ${required}, organization_id ${required}, name ${required},
      verified_at ${text}, verification_token ${required}, verification_reason ${text}, created_at ${required},
      updated_at ${required}, CONSTRAINT organization_domains_pkey PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX organization_domains_name_key ON organization_domains (tenant_id, organization_id, name)',
    `CREATE UNIQUE INDEX organization_domains_verified_key ON organization_domains (tenant_id, name) WHERE verified_at IS NOT NULL`,
    'CREATE INDEX organization_domains_list ON organization_domains (tenant_id, organization_id, created_at)',
    'CREATE UNIQUE INDEX organization_domains_created_key ON organization_domains (tenant_id, created_at)',

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
      created_at ${required}, updated_at ${required}, CONSTRAINT passkeys_pkey PRIMARY KEY (id, tenant_id), ${ofTenant},
      ${ofUser})`,
    'CREATE UNIQUE INDEX passkeys_credential_key ON passkeys (tenant_id, credential_id)',
    'CREATE UNIQUE INDEX passkeys_created_key ON passkeys (tenant_id, created_at)',
    'CREATE INDEX passkeys_user ON passkeys (tenant_id, user_id, created_at)',

    // is_unproven: connected with an account for which nobody has proven to own an address; removed when somebody does.
    `CREATE TABLE social_connections (tenant_id ${required}, id ${required}, user_id ${required}, provider_key ${required},
      issuer ${required}, subject ${required}, email ${text}, is_unproven ${flag}, created_at ${required},
      updated_at ${required}, CONSTRAINT social_connections_pkey PRIMARY KEY (id, tenant_id), ${ofTenant}, ${ofUser})`,
    'CREATE UNIQUE INDEX social_connections_created_key ON social_connections (tenant_id, created_at)',
    'CREATE UNIQUE INDEX social_connections_subject_key ON social_connections (tenant_id, provider_key, issuer, subject)',
    'CREATE INDEX social_connections_user ON social_connections (tenant_id, user_id)',

    `CREATE TABLE known_devices (tenant_id ${required}, user_id ${required}, token_hash ${required},
      last_used_at ${required}, CONSTRAINT known_devices_pkey PRIMARY KEY (tenant_id, user_id, token_hash), ${ofTenant},
      ${ofUser})`,
    'CREATE INDEX known_devices_age ON known_devices (last_used_at)',
  ]
}
