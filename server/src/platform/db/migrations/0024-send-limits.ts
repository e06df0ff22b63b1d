// Limits what may be sent through the deployment's own channel: the operator's limit for one tenant, the limit for one recipient over all
// tenants, and whether a message has been counted. Also gives the default role `admin` the permissions of the default role `member`,
// because nobody can give out a role with more permissions than their own.
import type { Migration } from '../migrate.ts'

const defaultAdmin = '["org:manage","org:delete","org:members:manage","org:invitations:manage","org:domains:manage"]'
const defaultMember = '["org:read"]'

/** Only if both roles are as they were created with the tenant. */
const completedDefaultAdmin = `UPDATE roles SET permissions = '["org:read",${defaultAdmin.slice(1)}'
  WHERE name_key = 'admin' AND permissions = '${defaultAdmin}' AND EXISTS (SELECT 1 FROM roles AS other
    WHERE other.tenant_id = roles.tenant_id AND other.name_key = 'member' AND other.permissions = '${defaultMember}')`

const statements = (engine: 'sqlite' | 'postgresql') => {
  const required = engine === 'postgresql' ? 'TEXT COLLATE "C" NOT NULL' : 'TEXT NOT NULL'
  return [
    // An operator's decision about one tenant of this deployment.
    `CREATE TABLE tenant_limits (tenant_id ${required}, messages_per_day INTEGER NOT NULL, updated_at ${required},
      CONSTRAINT tenant_limits_pkey PRIMARY KEY (tenant_id),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE)`,

    // Belongs to no tenant. A recipient is a keyed hash of an address.
    `CREATE TABLE recipient_quotas (recipient ${required}, name ${required}, used INTEGER NOT NULL,
      window_ends_at ${required}, CONSTRAINT recipient_quotas_pkey PRIMARY KEY (recipient, name))`,
    'CREATE INDEX recipient_quotas_end ON recipient_quotas (window_ends_at)',

    'ALTER TABLE messages ADD COLUMN is_counted INTEGER NOT NULL DEFAULT 0',

    completedDefaultAdmin,
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
