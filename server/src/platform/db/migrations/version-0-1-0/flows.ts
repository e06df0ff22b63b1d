// Sessions, the attempts to sign in and up, codes and links, and limits on guesses.
import type { EngineName } from '../../database.ts'
import { flag, ofTenant, ofUser, textOf } from './columns.ts'

export function flows(engine: EngineName): string[] {
  const { text, required } = textOf(engine)

  return [
    // is_followed: 1 if applications are to be told when the session ends.
    // actor_type and actor_id: The person who acts in the user's place, if it is not the user.
    `CREATE TABLE sessions (tenant_id ${required}, id ${required}, user_id ${required}, token_hash ${required},
      browser ${text}, device ${text}, engine ${text}, os ${text}, cpu ${text}, ua ${text}, ip ${text},
      sign_in_attempt_id ${text}, sign_up_attempt_id ${text}, actor_type ${text}, actor_id ${text}, expires_at ${required},
      last_active_at ${required}, ended_at ${text}, created_at ${required}, updated_at ${required}, organization_id ${text},
      is_followed ${flag}, CONSTRAINT sessions_pkey PRIMARY KEY (id, tenant_id), ${ofUser})`,
    'CREATE UNIQUE INDEX sessions_created_key ON sessions (tenant_id, created_at)',
    'CREATE UNIQUE INDEX sessions_token_key ON sessions (token_hash)',
    'CREATE INDEX sessions_user ON sessions (tenant_id, user_id, created_at)',
    'CREATE INDEX sessions_live ON sessions (tenant_id, created_at) WHERE ended_at IS NULL',
    'CREATE INDEX sessions_user_live ON sessions (tenant_id, user_id, created_at) WHERE ended_at IS NULL',
    'CREATE INDEX sessions_expiry ON sessions (expires_at) WHERE ended_at IS NULL',
    'CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL',

    // flow_hash: The hash of the token held by the browser that began the flow.
    `CREATE TABLE sign_in_attempts (tenant_id ${required}, id ${required}, user_id ${text}, identifier ${text},
      status ${required}, strategy ${text}, supported_first_factors ${required}, supported_second_factors ${required},
      oauth_provider_id ${text}, redirect_uri ${text}, expires_at ${required}, created_at ${required}, updated_at ${required},
      flow_hash ${text}, first_factor ${text}, first_factor_at ${text},
      CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (id, tenant_id), ${ofTenant}, ${ofUser})`,
    'CREATE UNIQUE INDEX sign_in_attempts_created_key ON sign_in_attempts (tenant_id, created_at)',
    'CREATE INDEX sign_in_attempts_age ON sign_in_attempts (created_at)',
    'CREATE INDEX sign_in_attempts_user_list ON sign_in_attempts (tenant_id, user_id, created_at) WHERE user_id IS NOT NULL',
    'CREATE INDEX sign_in_attempts_status ON sign_in_attempts (tenant_id, status, created_at)',

    // sealed_fields: Sealed: what has been entered so far, and which of it has been proven.
    `CREATE TABLE sign_up_attempts (tenant_id ${required}, id ${required}, user_id ${text}, identifier ${text},
      status ${required}, strategy ${text}, supported_first_factors ${required}, supported_second_factors ${required},
      oauth_provider_id ${text}, redirect_uri ${text}, expires_at ${required}, required_fields ${required},
      missing_fields ${required}, required_verifications ${required}, missing_verifications ${required},
      created_at ${required}, updated_at ${required}, flow_hash ${text}, sealed_fields ${text},
      CONSTRAINT sign_up_attempts_pkey PRIMARY KEY (id, tenant_id), ${ofTenant}, ${ofUser})`,
    'CREATE UNIQUE INDEX sign_up_attempts_created_key ON sign_up_attempts (tenant_id, created_at)',
    'CREATE INDEX sign_up_attempts_age ON sign_up_attempts (created_at)',
    'CREATE INDEX sign_up_attempts_user_list ON sign_up_attempts (tenant_id, user_id, created_at) WHERE user_id IS NOT NULL',
    'CREATE INDEX sign_up_attempts_status ON sign_up_attempts (tenant_id, status, created_at)',

    // Only the newest code of a purpose is valid in a flow.
    `CREATE TABLE verifications (tenant_id ${required}, purpose ${required}, flow_id ${required}, user_id ${text},
      address_key ${required}, kind ${required}, secret_hash ${required}, flow_hash ${text}, tries_left INTEGER NOT NULL,
      expires_at ${required}, created_at ${required}, CONSTRAINT verifications_pkey PRIMARY KEY (tenant_id, flow_id, purpose),
      ${ofTenant}, ${ofUser})`,
    'CREATE INDEX verifications_user ON verifications (tenant_id, user_id) WHERE user_id IS NOT NULL',
    'CREATE INDEX verifications_expiry ON verifications (expires_at)',

    // Consecutive failures; a known device has a row of its own.
    `CREATE TABLE guesses (tenant_id ${required}, subject ${required}, device ${required}, failures INTEGER NOT NULL,
      blocked_until ${required}, updated_at ${required}, second_failures ${flag}, second_blocked_until ${required} DEFAULT '',
      CONSTRAINT guesses_pkey PRIMARY KEY (tenant_id, subject, device), ${ofTenant})`,
    'CREATE INDEX guesses_age ON guesses (updated_at)',

    `CREATE TABLE password_resets (tenant_id ${required}, id ${required}, user_id ${text}, status ${required},
      contact_kind ${text}, contact_id ${text}, expires_at ${required}, created_at ${required}, updated_at ${required},
      CONSTRAINT password_resets_pkey PRIMARY KEY (id, tenant_id), ${ofTenant}, ${ofUser})`,
    'CREATE UNIQUE INDEX password_resets_created_key ON password_resets (tenant_id, created_at)',
    'CREATE INDEX password_resets_user ON password_resets (tenant_id, user_id) WHERE user_id IS NOT NULL',
    'CREATE INDEX password_resets_expiry ON password_resets (expires_at)',

    // Only the newest challenge of a purpose is valid; the subject is the session or attempt that it was made for.
    `CREATE TABLE passkey_challenges (tenant_id ${required}, subject ${required}, purpose ${required}, user_id ${text},
      challenge_hash ${required}, relying_party_id ${required}, expires_at ${required},
      CONSTRAINT passkey_challenges_pkey PRIMARY KEY (tenant_id, subject, purpose), ${ofTenant}, ${ofUser})`,
    'CREATE INDEX passkey_challenges_user ON passkey_challenges (tenant_id, user_id) WHERE user_id IS NOT NULL',
    'CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at)',

    // A state is found by its hash alone, before its tenant is known. Its stage: open, used, ticket.
    `CREATE TABLE oauth_states (tenant_id ${required}, state_hash ${required}, stage ${required}, purpose ${required},
      flow_id ${required}, flow_hash ${required}, user_id ${text}, provider_id ${required}, provider_key ${required},
      transport ${required}, own_host ${text}, callback_uri ${required}, return_uri ${required}, sealed_secrets ${required},
      ticket_hash ${text}, sealed_identity ${text}, expires_at ${required}, created_at ${required},
      CONSTRAINT oauth_states_pkey PRIMARY KEY (tenant_id, state_hash), ${ofTenant}, ${ofUser})`,
    'CREATE UNIQUE INDEX oauth_states_hash ON oauth_states (state_hash)',
    'CREATE INDEX oauth_states_flow ON oauth_states (tenant_id, flow_id)',
    'CREATE INDEX oauth_states_user ON oauth_states (tenant_id, user_id) WHERE user_id IS NOT NULL',
    'CREATE INDEX oauth_states_expiry ON oauth_states (expires_at)',
  ]
}
