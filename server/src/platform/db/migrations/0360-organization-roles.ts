// Roles of an organization's own, beside those of the tenant. There is no foreign key to organizations, whose rows an archive of a tenant
// contains only after those of roles; the operation that deletes an organization deletes its roles too.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { textOf } from './version-0-1-0/columns.ts'

function statements(engine: EngineName): string[] {
  const { text } = textOf(engine)
  return [
    `ALTER TABLE roles ADD COLUMN organization_id ${text}`,
    'DROP INDEX roles_name_key',
    'CREATE UNIQUE INDEX roles_name_key ON roles (tenant_id, name_key) WHERE organization_id IS NULL',
    `CREATE UNIQUE INDEX roles_own_name_key ON roles (tenant_id, organization_id, name_key)
      WHERE organization_id IS NOT NULL`,
    'CREATE INDEX roles_of_tenant ON roles (tenant_id, created_at) WHERE organization_id IS NULL',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
