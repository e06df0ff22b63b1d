// Groups of members inside an organization, which give their members a role there.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  const references = (column: string, table: string) =>
    `FOREIGN KEY (tenant_id, ${column}) REFERENCES ${table} (tenant_id, id)`
  return [
    // A group that follows a group of a directory is removed with it.
    `CREATE TABLE organization_groups (tenant_id ${required}, id ${required}, organization_id ${required},
      name ${required}, name_key ${required}, description ${text}, role_id ${text}, scim_group_id ${text},
      created_at ${required}, updated_at ${required}, CONSTRAINT organization_groups_pkey PRIMARY KEY (id, tenant_id),
      ${references('organization_id', 'organizations')} ON DELETE CASCADE, ${references('role_id', 'roles')},
      ${references('scim_group_id', 'scim_groups')} ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX organization_groups_created_key ON organization_groups (tenant_id, created_at)',
    'CREATE UNIQUE INDEX organization_groups_name_key ON organization_groups (tenant_id, organization_id, name_key)',
    'CREATE INDEX organization_groups_list ON organization_groups (tenant_id, organization_id, created_at)',
    'CREATE INDEX organization_groups_role ON organization_groups (tenant_id, role_id) WHERE role_id IS NOT NULL',
    `CREATE INDEX organization_groups_scim ON organization_groups (tenant_id, scim_group_id)
      WHERE scim_group_id IS NOT NULL`,

    `CREATE TABLE organization_group_members (tenant_id ${required}, group_id ${required}, member_id ${required},
      created_at ${required}, CONSTRAINT organization_group_members_pkey PRIMARY KEY (tenant_id, group_id, member_id),
      ${references('group_id', 'organization_groups')} ON DELETE CASCADE,
      ${references('member_id', 'organization_members')} ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX organization_group_members_member_key ON organization_group_members (tenant_id, member_id, group_id)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
