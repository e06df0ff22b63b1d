// Sessions, the attempts to sign in and up, and what console users need: an index to list their memberships, and the invalidation of cached
// data about one user.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  const ofUser = 'FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE'
  const ofTenant = 'FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE'
  const records = (name: string, ...columns: string[]) => [
    `CREATE TABLE ${name} (tenant_id ${required}, id ${required}, ${columns.slice(0, -1).join(', ')},
      created_at ${required}, updated_at ${required}, CONSTRAINT ${name}_pkey PRIMARY KEY (id, tenant_id),
      ${columns.at(-1) ?? ofTenant})`,
    `CREATE UNIQUE INDEX ${name}_created_key ON ${name} (tenant_id, created_at)`,
  ]
  const attempt = [
    `user_id ${text}`,
    `identifier ${text}`,
    `status ${required}`,
    `strategy ${text}`,
    `supported_first_factors ${required}`,
    `supported_second_factors ${required}`,
    `oauth_provider_id ${text}`,
    `redirect_uri ${text}`,
    `expires_at ${required}`,
  ]

  return [
    ...records(
      'sessions',
      `user_id ${required}`,
      `token_hash ${required}`,
      `browser ${text}`,
      `device ${text}`,
      `engine ${text}`,
      `os ${text}`,
      `cpu ${text}`,
      `ua ${text}`,
      `ip ${text}`,
      `sign_in_attempt_id ${text}`,
      `sign_up_attempt_id ${text}`,
      // The person who acts in the user's place, if it is not the user.
      `actor_type ${text}`,
      `actor_id ${text}`,
      `expires_at ${required}`,
      `last_active_at ${required}`,
      `ended_at ${text}`,
      ofUser,
    ),
    'CREATE UNIQUE INDEX sessions_token_key ON sessions (token_hash)',
    'CREATE INDEX sessions_user ON sessions (tenant_id, user_id, created_at)',
    'CREATE INDEX sessions_live ON sessions (tenant_id, created_at) WHERE ended_at IS NULL',
    'CREATE INDEX sessions_user_live ON sessions (tenant_id, user_id, created_at) WHERE ended_at IS NULL',
    'CREATE INDEX sessions_expiry ON sessions (expires_at) WHERE ended_at IS NULL',
    'CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL',

    ...records('sign_in_attempts', ...attempt, `${ofTenant}, ${ofUser}`),
    ...records(
      'sign_up_attempts',
      ...attempt,
      `required_fields ${required}`,
      `missing_fields ${required}`,
      `required_verifications ${required}`,
      `missing_verifications ${required}`,
      `${ofTenant}, ${ofUser}`,
    ),
    ...['sign_in_attempts', 'sign_up_attempts'].flatMap((name) => [
      `CREATE INDEX ${name}_user ON ${name} (tenant_id, user_id, id) WHERE user_id IS NOT NULL`,
      `CREATE INDEX ${name}_age ON ${name} (created_at)`,
    ]),

    'DROP INDEX tenant_members_user',
    'CREATE INDEX tenant_members_user ON tenant_members (user_tenant_id, user_id, id)',
    'CREATE INDEX tenant_members_admins ON tenant_members (tenant_id, id) WHERE role_admin = 1',
    ...(engine === 'postgresql' ? [`ALTER TABLE cache_invalidations ADD COLUMN user_id ${text}`] : []),
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
