// The roles that every new tenant gets, to be changed or deleted like any other.
import { foldCase } from '@bailiwick/contract'
import { sql } from '../../platform/db/sql.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import type { TenantDefaults } from '../tenants/tenant-defaults.ts'

const roles = [
  {
    name: 'admin',
    description: 'Manages an organization: its members, invitations, domains and settings',
    // All that `member` holds is among them, because nobody gives a role that holds more than their own.
    permissions: [
      'org:read',
      'org:manage',
      'org:delete',
      'org:members:manage',
      'org:invitations:manage',
      'org:domains:manage',
    ],
  },
  { name: 'member', description: 'Takes part in an organization', permissions: ['org:read'] },
]

export function defaultRoles({ clock }: Pick<Deps, 'clock'>, tenantId: TenantId): TenantDefaults {
  const rows = roles.map(({ name, description, permissions }) => {
    const at = clock.next()
    return [tenantId, newId(), name, foldCase(name), description, JSON.stringify(permissions), at, at]
  })
  const statement = sql`INSERT INTO roles (tenant_id, id, name, name_key, description, permissions, created_at, updated_at)
    ${sql.values(rows)}`
  return { statements: [statement], counts: { roles: roles.length } }
}
