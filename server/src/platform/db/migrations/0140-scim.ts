// What directories of organizations provision by SCIM: tokens, users, groups with their members, and a log of requests.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  const references = (column: string, table: string) =>
    `FOREIGN KEY (tenant_id, ${column}) REFERENCES ${table} (tenant_id, id) ON DELETE CASCADE`
  const ofConnection = references('connection_id', 'connections')
  const record = `tenant_id ${required}, id ${required}, connection_id ${required}`
  const recordEnd = (table: string) =>
    `created_at ${required}, updated_at ${required}, CONSTRAINT ${table}_pkey PRIMARY KEY (id, tenant_id)`
  const listed = (table: string) => [
    `CREATE UNIQUE INDEX ${table}_created_key ON ${table} (tenant_id, created_at)`,
    `CREATE INDEX ${table}_list ON ${table} (tenant_id, connection_id, created_at)`,
  ]
  return [
    // The numbers of users and groups are also the last places in their lists. The row is the lock of everything below it.
    `CREATE TABLE scim_directories (tenant_id ${required}, connection_id ${required}, group_rules ${required},
      users_total INTEGER NOT NULL, groups_total INTEGER NOT NULL,
      CONSTRAINT scim_directories_pkey PRIMARY KEY (tenant_id, connection_id), ${ofConnection})`,

    `CREATE TABLE scim_tokens (${record}, name ${required}, hash ${required}, last4 ${required}, expires_at ${text},
      last_used_at ${text}, ${recordEnd('scim_tokens')}, ${ofConnection})`,
    ...listed('scim_tokens'),
    'CREATE UNIQUE INDEX scim_tokens_hash_key ON scim_tokens (tenant_id, hash)',

    `CREATE TABLE scim_users (${record}, organization_id ${required}, user_id ${required}, place INTEGER NOT NULL,
      user_name_key ${required}, external_id ${text}, email_key ${text}, display_name_key ${text},
      active INTEGER NOT NULL, owns_profile INTEGER NOT NULL, suspended INTEGER NOT NULL, attributes ${required},
      version INTEGER NOT NULL, ${recordEnd('scim_users')}, ${ofConnection}, ${references('user_id', 'users')})`,
    ...listed('scim_users'),
    'CREATE UNIQUE INDEX scim_users_name_key ON scim_users (tenant_id, connection_id, user_name_key)',
    'CREATE UNIQUE INDEX scim_users_user_key ON scim_users (tenant_id, user_id, connection_id)',
    'CREATE UNIQUE INDEX scim_users_place_key ON scim_users (tenant_id, connection_id, place)',
    'CREATE INDEX scim_users_external ON scim_users (tenant_id, connection_id, external_id)',
    'CREATE INDEX scim_users_email ON scim_users (tenant_id, connection_id, email_key)',
    'CREATE INDEX scim_users_display ON scim_users (tenant_id, connection_id, display_name_key)',
    'CREATE INDEX scim_users_active ON scim_users (tenant_id, connection_id, active, place)',

    `CREATE TABLE scim_groups (${record}, place INTEGER NOT NULL, display_name ${required},
      display_name_key ${required}, external_id ${text}, version INTEGER NOT NULL, ${recordEnd('scim_groups')},
      ${ofConnection})`,
    ...listed('scim_groups'),
    'CREATE UNIQUE INDEX scim_groups_place_key ON scim_groups (tenant_id, connection_id, place)',
    'CREATE INDEX scim_groups_display ON scim_groups (tenant_id, connection_id, display_name_key)',
    'CREATE INDEX scim_groups_external ON scim_groups (tenant_id, connection_id, external_id)',

    `CREATE TABLE scim_group_members (tenant_id ${required}, group_id ${required}, member_id ${required},
      CONSTRAINT scim_group_members_pkey PRIMARY KEY (tenant_id, group_id, member_id),
      ${references('group_id', 'scim_groups')}, ${references('member_id', 'scim_users')})`,
    'CREATE UNIQUE INDEX scim_group_members_member_key ON scim_group_members (tenant_id, member_id, group_id)',

    // Without a foreign key to the connection, so that removing that does not take as long as its log is.
    `CREATE TABLE scim_log (${record}, token_id ${text}, method ${required}, resource ${required}, resource_id ${text},
      status INTEGER NOT NULL, reason ${text}, ${recordEnd('scim_log')},
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE)`,
    ...listed('scim_log'),
    'CREATE INDEX scim_log_age ON scim_log (created_at)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
