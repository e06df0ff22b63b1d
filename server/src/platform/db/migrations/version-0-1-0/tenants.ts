// Tenants, what is set up for each of them, and their counts and quotas.
import type { EngineName } from '../../database.ts'
import { flag, ofTenant, textOf } from './columns.ts'

export function tenants(engine: EngineName): string[] {
  const { text, required } = textOf(engine)

  return [
    `CREATE TABLE deployment (name ${required} PRIMARY KEY, value ${required})`,

    // brand_version: 0 means that there is no version yet.
    `CREATE TABLE tenants (id ${required} PRIMARY KEY, kind ${required}, name ${required}, name_key ${required},
      slug ${required}, slug_key ${required}, public_key ${required}, environment ${required}, creator_id ${text},
      project_id ${text}, logo_id ${text}, logo_uri ${text}, icon_id ${text}, icon_uri ${text}, brand ${required},
      auth_id ${required}, auth_version INTEGER NOT NULL, org_id ${text}, plan ${text}, payment_method_id ${text},
      payment_method_brand ${text}, payment_method_last4 ${text}, deleted_at ${text}, created_at ${required},
      updated_at ${required}, brand_version ${flag}, pages_version ${flag}, dark_logo_id ${text})`,
    'CREATE UNIQUE INDEX tenants_slug_key ON tenants (slug_key)',
    'CREATE UNIQUE INDEX tenants_public_key ON tenants (public_key)',
    'CREATE UNIQUE INDEX tenants_created_key ON tenants (created_at)',
    'CREATE INDEX tenants_deleted ON tenants (deleted_at) WHERE deleted_at IS NOT NULL',
    'CREATE INDEX tenants_creator ON tenants (creator_id) WHERE creator_id IS NOT NULL AND deleted_at IS NULL',

    `CREATE TABLE auth_configurations (tenant_id ${required}, version INTEGER NOT NULL, document ${required},
      actor_type ${required}, actor_id ${text}, created_at ${required},
      CONSTRAINT auth_configurations_pkey PRIMARY KEY (tenant_id, version), ${ofTenant})`,
    'CREATE UNIQUE INDEX auth_configurations_created_key ON auth_configurations (tenant_id, created_at)',

    `CREATE TABLE brand_versions (tenant_id ${required}, version INTEGER NOT NULL, document ${required},
      actor_type ${required}, actor_id ${text}, created_at ${required},
      CONSTRAINT brand_versions_pkey PRIMARY KEY (tenant_id, version), ${ofTenant})`,
    'CREATE UNIQUE INDEX brand_versions_created_key ON brand_versions (tenant_id, created_at)',

    `CREATE TABLE pages_versions (tenant_id ${required}, version INTEGER NOT NULL, document ${required},
      actor_type ${required}, actor_id ${text}, created_at ${required},
      CONSTRAINT pages_versions_pkey PRIMARY KEY (tenant_id, version), ${ofTenant})`,
    'CREATE UNIQUE INDEX pages_versions_created_key ON pages_versions (tenant_id, created_at)',

    `CREATE TABLE domains (tenant_id ${required}, id ${required}, name ${required}, name_key ${required}, is_primary ${flag},
      type ${required}, verified_at ${text}, verification_token ${required}, created_at ${required}, updated_at ${required},
      verification_reason TEXT, CONSTRAINT domains_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX domains_created_key ON domains (tenant_id, created_at)',
    'CREATE UNIQUE INDEX domains_name_key ON domains (tenant_id, name_key)',
    'CREATE UNIQUE INDEX domains_verified_key ON domains (name_key) WHERE verified_at IS NOT NULL',
    'CREATE UNIQUE INDEX domains_primary_key ON domains (tenant_id) WHERE is_primary = 1',

    `CREATE TABLE secret_keys (tenant_id ${required}, id ${required}, hash ${required}, sealed ${required},
      last4 ${required}, expires_at ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT secret_keys_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX secret_keys_created_key ON secret_keys (tenant_id, created_at)',
    'CREATE UNIQUE INDEX secret_keys_hash_key ON secret_keys (hash)',

    `CREATE TABLE signing_keys (tenant_id ${required}, id ${required}, kid ${required}, public_pem ${required},
      sealed_private_pem ${required}, retired_at ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT signing_keys_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX signing_keys_created_key ON signing_keys (tenant_id, created_at)',
    'CREATE UNIQUE INDEX signing_keys_kid_key ON signing_keys (tenant_id, kid)',

    // The keys that tenants make for their own programs.
    `CREATE TABLE api_keys (tenant_id ${required}, id ${required}, name ${required}, hash ${required}, scopes ${required},
      last4 ${required}, expires_at ${text}, last_used_at ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT api_keys_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX api_keys_created_key ON api_keys (tenant_id, created_at)',
    'CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (hash)',

    // Deleted after a day, so there is no foreign key: the operator's requests belong to no tenant.
    `CREATE TABLE idempotency_keys (tenant_id ${required}, id ${required}, request_id ${required}, sealed ${required},
      has_answer INTEGER NOT NULL, created_at ${required}, CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, id))`,
    'CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)',

    // An operator's decision about one tenant of this deployment.
    `CREATE TABLE tenant_limits (tenant_id ${required}, messages_per_day INTEGER NOT NULL, updated_at ${required},
      CONSTRAINT tenant_limits_pkey PRIMARY KEY (tenant_id), ${ofTenant})`,

    `CREATE TABLE roles (tenant_id ${required}, id ${required}, name ${required}, name_key ${required}, description ${text},
      permissions ${required}, created_at ${required}, updated_at ${required},
      CONSTRAINT roles_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX roles_created_key ON roles (tenant_id, created_at)',
    'CREATE UNIQUE INDEX roles_name_key ON roles (tenant_id, name_key)',

    `CREATE TABLE social_providers (tenant_id ${required}, id ${required}, provider_key ${required}, enabled ${flag},
      use_custom_credentials INTEGER, client_id ${text}, sealed_client_secret ${text}, redirect_uri ${text},
      additional_scopes ${text}, authenticatable INTEGER, auto_connect_accounts INTEGER, config ${text},
      created_at ${required}, updated_at ${required}, CONSTRAINT social_providers_pkey PRIMARY KEY (id, tenant_id),
      ${ofTenant})`,
    'CREATE UNIQUE INDEX social_providers_created_key ON social_providers (tenant_id, created_at)',
    'CREATE UNIQUE INDEX social_providers_key ON social_providers (tenant_id, provider_key)',

    // The OpenID Connect providers of a tenant's own.
    `CREATE TABLE custom_providers (tenant_id ${required}, id ${required}, provider_key ${required}, name ${required},
      enabled INTEGER NOT NULL, issuer ${required}, client_id ${required}, sealed_client_secret ${text}, redirect_uri ${text},
      scopes ${required}, claims ${required}, trust_emails INTEGER NOT NULL, authenticatable INTEGER NOT NULL,
      auto_connect_accounts INTEGER NOT NULL, logo_id ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT custom_providers_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX custom_providers_created_key ON custom_providers (tenant_id, created_at)',
    'CREATE UNIQUE INDEX custom_providers_key ON custom_providers (tenant_id, provider_key)',

    `CREATE TABLE transformations (tenant_id ${required}, id ${required}, name ${required}, description ${text},
      output_format ${required}, output_quality DOUBLE PRECISION NOT NULL, output_compression DOUBLE PRECISION NOT NULL,
      output_width DOUBLE PRECISION NOT NULL, output_height DOUBLE PRECISION NOT NULL, output_resize_mode ${required},
      steps ${required}, version INTEGER NOT NULL DEFAULT 1, created_at ${required}, updated_at ${required},
      CONSTRAINT transformations_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX transformations_created_key ON transformations (tenant_id, created_at)',
    'CREATE UNIQUE INDEX transformations_name_key ON transformations (tenant_id, name)',

    `CREATE TABLE templates (tenant_id ${required}, id ${required}, type ${required}, name ${required}, subject ${text},
      body ${required}, created_at ${required}, updated_at ${required}, CONSTRAINT templates_pkey PRIMARY KEY (id, tenant_id),
      ${ofTenant})`,
    'CREATE UNIQUE INDEX templates_created_key ON templates (tenant_id, created_at)',
    'CREATE UNIQUE INDEX templates_name_key ON templates (tenant_id, name)',
    'CREATE INDEX templates_type ON templates (tenant_id, type, created_at)',

    // The channels that messages go through.
    `CREATE TABLE channels (tenant_id ${required}, id ${required}, name ${required}, name_key ${required}, key ${required},
      description ${text}, type ${required}, provider ${required}, enabled INTEGER NOT NULL, settings ${required},
      sealed_secrets ${required}, created_at ${required}, updated_at ${required},
      CONSTRAINT channels_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX channels_created_key ON channels (tenant_id, created_at)',
    'CREATE UNIQUE INDEX channels_name_key ON channels (tenant_id, name_key)',
    'CREATE UNIQUE INDEX channels_key_key ON channels (tenant_id, key)',

    `CREATE TABLE counters (tenant_id ${required}, name ${required}, shard INTEGER NOT NULL, value BIGINT NOT NULL,
      CONSTRAINT counters_pkey PRIMARY KEY (tenant_id, name, shard))`,

    `CREATE TABLE quotas (tenant_id ${required}, name ${required}, subject ${required}, used INTEGER NOT NULL,
      window_ends_at ${required}, CONSTRAINT quotas_pkey PRIMARY KEY (tenant_id, name, subject), ${ofTenant})`,
    'CREATE INDEX quotas_end ON quotas (window_ends_at)',

    // Belongs to no tenant. A recipient is a keyed hash of an address.
    `CREATE TABLE recipient_quotas (recipient ${required}, name ${required}, used INTEGER NOT NULL,
      window_ends_at ${required}, CONSTRAINT recipient_quotas_pkey PRIMARY KEY (recipient, name))`,
    'CREATE INDEX recipient_quotas_end ON recipient_quotas (window_ends_at)',
  ]
}
