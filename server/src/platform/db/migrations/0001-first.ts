// The first schema. Times are fixed-width UTC text with microseconds, flags are 0 or 1, and free JSON is text, alike on both engines.
// PostgreSQL compares text by bytes (COLLATE "C"), as SQLite does, and stores each event's transaction for ordered feeds.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

const flags = [
  'role_admin',
  'role_edit_organizations',
  'role_edit_users',
  'role_edit_config',
  'role_view_users',
  'role_view_organizations',
  'role_view_config',
  'role_view_billing',
  'role_edit_billing',
]

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  const flag = 'INTEGER NOT NULL DEFAULT 0'
  const real = 'DOUBLE PRECISION NOT NULL'
  const times = `created_at ${required}, updated_at ${required}`
  const ownKey = `tenant_id ${required}, id ${required}`
  const ofTenant = 'FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE'
  const ofUser = 'FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE'
  const ofOrganization =
    'FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE'
  const ofRole = 'FOREIGN KEY (tenant_id, role_id) REFERENCES roles (tenant_id, id)'
  const memberFlags = flags.map((name) => `${name} ${flag}`).join(', ')

  const table = (name: string, ...columns: string[]) => `CREATE TABLE ${name} (${columns.join(', ')})`
  /** A table of records with an id: found by tenant and id (by id alone for the operator), listed by created_at. */
  const records = (name: string, ...columns: string[]) => [
    table(
      name,
      ownKey,
      ...columns.slice(0, -1),
      times,
      `CONSTRAINT ${name}_pkey PRIMARY KEY (id, tenant_id)`,
      columns.at(-1) ?? ofTenant,
    ),
    `CREATE UNIQUE INDEX ${name}_created_key ON ${name} (tenant_id, created_at)`,
  ]
  const unique = (name: string, on: string, where?: string) =>
    `CREATE UNIQUE INDEX ${name} ON ${on}${where === undefined ? '' : ` WHERE ${where}`}`

  return [
    table('deployment', `name ${required} PRIMARY KEY`, `value ${required}`),

    table(
      'tenants',
      `id ${required} PRIMARY KEY`,
      `kind ${required}`,
      `name ${required}`,
      `name_key ${required}`,
      `slug ${required}`,
      `slug_key ${required}`,
      `public_key ${required}`,
      `environment ${required}`,
      `creator_id ${text}`,
      `project_id ${text}`,
      `logo_id ${text}`,
      `logo_uri ${text}`,
      `icon_id ${text}`,
      `icon_uri ${text}`,
      `brand ${required}`,
      `auth_id ${required}`,
      `auth_version INTEGER NOT NULL`,
      `org_id ${text}`,
      `plan ${text}`,
      `payment_method_id ${text}`,
      `payment_method_brand ${text}`,
      `payment_method_last4 ${text}`,
      `deleted_at ${text}`,
      times,
    ),
    unique('tenants_slug_key', 'tenants (slug_key)'),
    unique('tenants_public_key', 'tenants (public_key)'),
    unique('tenants_created_key', 'tenants (created_at)'),

    table(
      'auth_configurations',
      `tenant_id ${required}`,
      `version INTEGER NOT NULL`,
      `document ${required}`,
      `actor_type ${required}`,
      `actor_id ${text}`,
      `created_at ${required}`,
      `CONSTRAINT auth_configurations_pkey PRIMARY KEY (tenant_id, version)`,
      ofTenant,
    ),

    ...records(
      'domains',
      `name ${required}`,
      `name_key ${required}`,
      `is_primary ${flag}`,
      `type ${required}`,
      `verified_at ${text}`,
      `verification_token ${required}`,
      ofTenant,
    ),
    unique('domains_name_key', 'domains (tenant_id, name_key)'),
    unique('domains_verified_key', 'domains (name_key)', 'verified_at IS NOT NULL'),
    unique('domains_primary_key', 'domains (tenant_id)', 'is_primary = 1'),

    ...records(
      'secret_keys',
      `hash ${required}`,
      `sealed ${required}`,
      `last4 ${required}`,
      `expires_at ${text}`,
      ofTenant,
    ),
    unique('secret_keys_hash_key', 'secret_keys (hash)'),
    ...records(
      'signing_keys',
      `kid ${required}`,
      `public_pem ${required}`,
      `sealed_private_pem ${required}`,
      `retired_at ${text}`,
      ofTenant,
    ),
    unique('signing_keys_kid_key', 'signing_keys (tenant_id, kid)'),

    ...records(
      'roles',
      `name ${required}`,
      `name_key ${required}`,
      `description ${text}`,
      `permissions ${required}`,
      ofTenant,
    ),
    unique('roles_name_key', 'roles (tenant_id, name_key)'),

    ...records(
      'transformations',
      `name ${required}`,
      `description ${text}`,
      `output_format ${required}`,
      `output_quality ${real}`,
      `output_compression ${real}`,
      `output_width ${real}`,
      `output_height ${real}`,
      `output_resize_mode ${required}`,
      `steps ${required}`,
      `version INTEGER NOT NULL DEFAULT 1`,
      ofTenant,
    ),
    unique('transformations_name_key', 'transformations (tenant_id, name)'),

    ...records('templates', `type ${required}`, `name ${required}`, `subject ${text}`, `body ${required}`, ofTenant),
    unique('templates_name_key', 'templates (tenant_id, name)'),

    ...records(
      'social_providers',
      `provider_key ${required}`,
      `enabled ${flag}`,
      'use_custom_credentials INTEGER',
      `client_id ${text}`,
      `sealed_client_secret ${text}`,
      `redirect_uri ${text}`,
      `additional_scopes ${text}`,
      'authenticatable INTEGER',
      'auto_connect_accounts INTEGER',
      `config ${text}`,
      ofTenant,
    ),
    unique('social_providers_key', 'social_providers (tenant_id, provider_key)'),

    ...records(
      'users',
      `name ${text}`,
      `username ${text}`,
      `username_key ${text}`,
      `image_uri ${text}`,
      `status ${required}`,
      `role_id ${text}`,
      `primary_email_id ${text}`,
      `primary_phone_id ${text}`,
      `public_meta ${required}`,
      `private_meta ${required}`,
      // Personal data in events is sealed under a key derived from this salt; once the salt is gone, nobody can read it.
      `personal_salt ${required}`,
      `last_sign_in_at ${text}`,
      `last_active_at ${text}`,
      `${ofTenant}, ${ofRole}`,
    ),
    unique('users_username_key', 'users (tenant_id, username_key)'),
    'CREATE INDEX users_role ON users (tenant_id, role_id) WHERE role_id IS NOT NULL',
    table(
      'passwords',
      `tenant_id ${required}`,
      `user_id ${required}`,
      `hash ${required}`,
      times,
      'CONSTRAINT passwords_pkey PRIMARY KEY (tenant_id, user_id)',
      ofUser,
    ),
    ...records(
      'email_addresses',
      `user_id ${required}`,
      `email ${required}`,
      `email_key ${required}`,
      `verified_at ${text}`,
      ofUser,
    ),
    unique('email_addresses_key', 'email_addresses (tenant_id, email_key)'),
    'CREATE INDEX email_addresses_user ON email_addresses (tenant_id, user_id, created_at)',
    ...records('phone_numbers', `user_id ${required}`, `phone ${required}`, `verified_at ${text}`, ofUser),
    unique('phone_numbers_key', 'phone_numbers (tenant_id, phone)'),
    'CREATE INDEX phone_numbers_user ON phone_numbers (tenant_id, user_id, created_at)',

    // The person is a user of the console's tenant, so the reference includes that tenant.
    ...records(
      'tenant_members',
      `user_tenant_id ${required}`,
      `user_id ${required}`,
      memberFlags,
      `${ofTenant}, FOREIGN KEY (user_tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE`,
    ),
    unique('tenant_members_user_key', 'tenant_members (tenant_id, user_id)'),
    'CREATE INDEX tenant_members_user ON tenant_members (user_tenant_id, user_id)',
    ...records(
      'tenant_invitations',
      `email ${required}`,
      `email_key ${required}`,
      `token_hash ${required}`,
      `expires_at ${required}`,
      memberFlags,
      ofTenant,
    ),
    unique('tenant_invitations_email_key', 'tenant_invitations (tenant_id, email_key)'),
    unique('tenant_invitations_token_key', 'tenant_invitations (token_hash)'),
    'CREATE INDEX tenant_invitations_email ON tenant_invitations (email_key)',

    ...records(
      'organizations',
      `creator_id ${text}`,
      `name ${required}`,
      `slug ${required}`,
      `slug_key ${required}`,
      `image_uri ${text}`,
      `public_meta ${required}`,
      `private_meta ${required}`,
      ofTenant,
    ),
    unique('organizations_slug_key', 'organizations (tenant_id, slug_key)'),
    ...records(
      'organization_members',
      `organization_id ${required}`,
      `user_id ${required}`,
      `role_id ${text}`,
      `public_meta ${required}`,
      `private_meta ${required}`,
      `${ofOrganization}, ${ofUser}, ${ofRole}`,
    ),
    unique('organization_members_user_key', 'organization_members (tenant_id, organization_id, user_id)'),
    'CREATE INDEX organization_members_list ON organization_members (tenant_id, organization_id, created_at)',
    'CREATE INDEX organization_members_user ON organization_members (tenant_id, user_id)',
    'CREATE INDEX organization_members_role ON organization_members (tenant_id, role_id) WHERE role_id IS NOT NULL',
    ...records(
      'organization_invitations',
      `organization_id ${required}`,
      `email ${required}`,
      `email_key ${required}`,
      `role_id ${text}`,
      `token_hash ${required}`,
      `expires_at ${required}`,
      `accepted_at ${text}`,
      `declined_at ${text}`,
      `public_meta ${required}`,
      `private_meta ${required}`,
      `${ofOrganization}, ${ofRole}`,
    ),
    unique(
      'organization_invitations_open_key',
      'organization_invitations (tenant_id, organization_id, email_key)',
      'accepted_at IS NULL AND declined_at IS NULL',
    ),
    unique('organization_invitations_token_key', 'organization_invitations (token_hash)'),
    'CREATE INDEX organization_invitations_list ON organization_invitations (tenant_id, organization_id, created_at)',
    'CREATE INDEX organization_invitations_email ON organization_invitations (tenant_id, email_key)',

    table(
      'counters',
      `tenant_id ${required}`,
      `name ${required}`,
      'shard INTEGER NOT NULL',
      'value BIGINT NOT NULL',
      'CONSTRAINT counters_pkey PRIMARY KEY (tenant_id, name, shard)',
    ),

    // position follows the order of writing. On PostgreSQL, transaction_id lets a reader stop before transactions that are still open.
    table(
      'events',
      ...(engine === 'postgresql'
        ? [
            'position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
            'transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id()',
          ]
        : ['position INTEGER PRIMARY KEY AUTOINCREMENT']),
      `tenant_id ${required}`,
      `id ${required}`,
      `type ${required}`,
      `actor_type ${required}`,
      `actor_id ${text}`,
      `subject_type ${required}`,
      `subject_id ${required}`,
      `data ${required}`,
      `personal ${text}`,
      `ip ${text}`,
      `ua ${text}`,
      `created_at ${required}`,
    ),
    unique('events_created_key', 'events (tenant_id, created_at)'),

    ...(engine === 'postgresql'
      ? [
          table(
            'cache_invalidations',
            'position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
            'transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id()',
            `tenant_id ${required}`,
            'written_at TIMESTAMPTZ NOT NULL DEFAULT now()',
          ),
          'CREATE INDEX cache_invalidations_transaction ON cache_invalidations (transaction_id)',
        ]
      : []),
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
