// Applications that sign users in through a tenant, the resources that they call, what users have allowed them, and what the
// authorization server keeps of the flows that are under way. Codes, tokens and cookies are stored as hashes.
import type { EngineName } from '../../database.ts'
import { flag, ofTenant, ofUser, textOf } from './columns.ts'

export function applications(engine: EngineName): string[] {
  const { text, required } = textOf(engine)

  return [
    // client_id: the record's id; for a client that describes itself in a document, the document's address. origin: manual, document,
    // registration.
    `CREATE TABLE applications (tenant_id ${required}, id ${required}, client_id ${required}, origin ${required},
      name ${required}, type ${required}, redirect_uris ${required}, post_logout_redirect_uris ${required},
      cors_origins ${required}, grant_types ${required}, backchannel_logout_uri ${text},
      token_endpoint_auth_method ${required}, jwks ${text}, jwks_uri ${text}, access_token_format ${required},
      access_token_ttl INTEGER, refresh_token_ttl INTEGER, refresh_token_rotation ${flag}, require_pkce ${flag},
      require_consent ${flag}, require_par ${flag}, require_dpop ${flag}, machine_scopes ${required}, logo_id ${text},
      logo_uri ${text}, terms_uri ${text}, policy_uri ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT applications_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX applications_created_key ON applications (tenant_id, created_at)',
    'CREATE UNIQUE INDEX applications_client_key ON applications (tenant_id, client_id)',

    // The secrets of an application, two at most. One that is replaced expires after a time of grace.
    `CREATE TABLE application_secrets (tenant_id ${required}, id ${required}, application_id ${required}, hash ${required},
      last4 ${required}, expires_at ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT application_secrets_pkey PRIMARY KEY (id, tenant_id), ${ofTenant},
      FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX application_secrets_created_key ON application_secrets (tenant_id, created_at)',
    'CREATE INDEX application_secrets_application ON application_secrets (tenant_id, application_id, created_at)',
    'CREATE INDEX application_secrets_expiry ON application_secrets (expires_at) WHERE expires_at IS NOT NULL',

    `CREATE TABLE resources (tenant_id ${required}, id ${required}, indicator ${required}, name ${required},
      scopes ${required}, access_token_format ${text}, access_token_ttl INTEGER, created_at ${required},
      updated_at ${required}, CONSTRAINT resources_pkey PRIMARY KEY (id, tenant_id), ${ofTenant})`,
    'CREATE UNIQUE INDEX resources_created_key ON resources (tenant_id, created_at)',
    'CREATE UNIQUE INDEX resources_indicator_key ON resources (tenant_id, indicator)',

    // What a user has allowed an application, for itself or as a member of an organization.
    `CREATE TABLE grants (tenant_id ${required}, id ${required}, user_id ${required}, application_id ${required},
      organization_id ${text}, scopes ${required}, resource_scopes ${required}, claims ${required}, last_used_at ${required},
      created_at ${required}, updated_at ${required}, CONSTRAINT grants_pkey PRIMARY KEY (id, tenant_id), ${ofTenant},
      ${ofUser}, FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX grants_created_key ON grants (tenant_id, created_at)',
    'CREATE UNIQUE INDEX grants_user_key ON grants (tenant_id, user_id, application_id) WHERE organization_id IS NULL',
    `CREATE UNIQUE INDEX grants_organization_key ON grants (tenant_id, user_id, application_id, organization_id) WHERE
      organization_id IS NOT NULL`,
    'CREATE INDEX grants_user ON grants (tenant_id, user_id, created_at)',
    'CREATE INDEX grants_application ON grants (tenant_id, application_id, created_at)',
    'CREATE INDEX grants_organization ON grants (tenant_id, organization_id) WHERE organization_id IS NOT NULL',

    // The settings of a tenant's authorization server; a tenant without a row has the defaults. The issuer is the deployment's address
    // below /t/{tenantId}, or a verified domain. The issuer before a change serves until previous_issuer_until.
    `CREATE TABLE oauth_settings (tenant_id ${required}, metadata_documents_enabled ${flag}, registration_enabled ${flag},
      registration_token_hash ${text}, registration_token_expires_at ${text}, access_token_ttl INTEGER,
      refresh_token_ttl INTEGER, id_token_ttl INTEGER, issuer_domain ${text}, has_previous_issuer ${flag},
      previous_issuer_domain ${text}, previous_issuer_until ${text}, created_at ${required}, updated_at ${required},
      CONSTRAINT oauth_settings_pkey PRIMARY KEY (tenant_id), ${ofTenant})`,

    // A browser's session with the authorization server. It is as good as the session that it was made from.
    `CREATE TABLE oauth_sessions (tenant_id ${required}, id_hash ${required}, uid ${required}, session_id ${text},
      user_id ${text}, payload ${required}, expires_at ${required}, created_at ${required},
      CONSTRAINT oauth_sessions_pkey PRIMARY KEY (tenant_id, id_hash), ${ofTenant}, ${ofUser},
      FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX oauth_sessions_uid_key ON oauth_sessions (tenant_id, uid)',
    'CREATE INDEX oauth_sessions_session ON oauth_sessions (tenant_id, session_id) WHERE session_id IS NOT NULL',
    'CREATE INDEX oauth_sessions_user ON oauth_sessions (tenant_id, user_id) WHERE user_id IS NOT NULL',
    'CREATE INDEX oauth_sessions_expiry ON oauth_sessions (expires_at)',

    // A request for authorization that waits for the user. Only the browser that has signed in holds the ticket with which it goes on.
    `CREATE TABLE oauth_interactions (tenant_id ${required}, id_hash ${required}, client_id ${required}, user_id ${text},
      ticket_hash ${text}, payload ${required}, expires_at ${required}, created_at ${required},
      CONSTRAINT oauth_interactions_pkey PRIMARY KEY (tenant_id, id_hash), ${ofTenant}, ${ofUser})`,
    'CREATE INDEX oauth_interactions_user ON oauth_interactions (tenant_id, user_id) WHERE user_id IS NOT NULL',
    'CREATE INDEX oauth_interactions_expiry ON oauth_interactions (expires_at)',

    // Codes and tokens of all kinds. family_id: what one authorization has issued, and what a second use of a code or refresh token
    // ends. sealed_answer: the answer of a rotation, given again for a moment to the same client.
    `CREATE TABLE oauth_tokens (tenant_id ${required}, id_hash ${required}, kind ${required}, client_id ${text},
      application_id ${text}, user_id ${text}, organization_id ${text}, grant_id ${text}, family_id ${text},
      session_id ${text}, user_code_hash ${text}, payload ${required}, sealed_answer ${text}, consumed_at ${text},
      expires_at ${required}, created_at ${required}, CONSTRAINT oauth_tokens_pkey PRIMARY KEY (tenant_id, id_hash),
      ${ofTenant}, ${ofUser},
      FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, grant_id) REFERENCES grants (tenant_id, id) ON DELETE CASCADE)`,
    `CREATE UNIQUE INDEX oauth_tokens_user_code_key ON oauth_tokens (tenant_id, user_code_hash) WHERE user_code_hash IS NOT NULL`,
    'CREATE INDEX oauth_tokens_user ON oauth_tokens (tenant_id, user_id) WHERE user_id IS NOT NULL',
    'CREATE INDEX oauth_tokens_application ON oauth_tokens (tenant_id, application_id) WHERE application_id IS NOT NULL',
    'CREATE INDEX oauth_tokens_organization ON oauth_tokens (tenant_id, organization_id) WHERE organization_id IS NOT NULL',
    'CREATE INDEX oauth_tokens_grant ON oauth_tokens (tenant_id, grant_id) WHERE grant_id IS NOT NULL',
    'CREATE INDEX oauth_tokens_family ON oauth_tokens (tenant_id, family_id) WHERE family_id IS NOT NULL',
    'CREATE INDEX oauth_tokens_session ON oauth_tokens (tenant_id, session_id) WHERE session_id IS NOT NULL',
    'CREATE INDEX oauth_tokens_expiry ON oauth_tokens (expires_at)',

    // The ids of signed requests that were used, so that none is used twice.
    `CREATE TABLE oauth_replays (tenant_id ${required}, id_hash ${required}, expires_at ${required},
      CONSTRAINT oauth_replays_pkey PRIMARY KEY (tenant_id, id_hash), ${ofTenant})`,
    'CREATE INDEX oauth_replays_expiry ON oauth_replays (expires_at)',

    // The applications that have signed a user in by a session, which are told when it ends.
    `CREATE TABLE session_followers (tenant_id ${required}, session_id ${required}, application_id ${required},
      sid ${required}, issuer ${required}, created_at ${required},
      CONSTRAINT session_followers_pkey PRIMARY KEY (tenant_id, session_id, application_id, sid), ${ofTenant},
      FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE INDEX session_followers_application ON session_followers (tenant_id, application_id)',
    'CREATE INDEX session_followers_sid ON session_followers (tenant_id, sid)',
  ]
}
