// When users lose their role in the tenant, members of organizations leave a group, and administrators lose their rights.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { textOf } from './version-0-1-0/columns.ts'

function statements(engine: EngineName): string[] {
  const { text } = textOf(engine)
  return [
    `ALTER TABLE users ADD COLUMN role_expires_at ${text}`,
    'CREATE INDEX users_role_expires ON users (role_expires_at) WHERE role_expires_at IS NOT NULL',
    `ALTER TABLE organization_group_members ADD COLUMN expires_at ${text}`,
    `CREATE INDEX organization_group_members_expires ON organization_group_members (expires_at)
      WHERE expires_at IS NOT NULL`,
    `ALTER TABLE tenant_members ADD COLUMN expires_at ${text}`,
    'CREATE INDEX tenant_members_expires ON tenant_members (expires_at) WHERE expires_at IS NOT NULL',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
