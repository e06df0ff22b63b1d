// When memberships of organizations, and the roles that they give, end by themselves.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { textOf } from './version-0-1-0/columns.ts'

function statements(engine: EngineName): string[] {
  const { text } = textOf(engine)
  return [
    `ALTER TABLE organization_members ADD COLUMN expires_at ${text}`,
    `ALTER TABLE organization_members ADD COLUMN role_expires_at ${text}`,
    'ALTER TABLE organization_invitations ADD COLUMN membership_lifetime INTEGER',
    'CREATE INDEX organization_members_expires ON organization_members (expires_at) WHERE expires_at IS NOT NULL',
    `CREATE INDEX organization_members_role_expires ON organization_members (role_expires_at)
      WHERE role_expires_at IS NOT NULL`,
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
