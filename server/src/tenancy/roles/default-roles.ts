// The roles that every new tenant gets; they can be changed or deleted like any other.
import { foldCase } from '@bailiwick/contract'
import type { TenantDefaults } from '../../platform/feature.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { roles } from './tables.ts'

const defaults = [
  {
    name: 'admin',
    description: 'Manages an organization: its members, invitations, domains and settings',
    // All permissions of `member` are among them, because nobody can give a role with more permissions than their own.
    permissions: [
      'org:read',
      'org:manage',
      'org:delete',
      'org:members:manage',
      'org:invitations:manage',
      'org:domains:manage',
      'org:connections:manage',
      'org:groups:manage',
      'org:roles:manage',
      'org:api-keys:manage',
    ],
  },
  { name: 'member', description: 'Takes part in an organization', permissions: ['org:read'] },
]

export function defaultRoles({ clock }: Pick<Deps, 'clock'>, tenantId: TenantId): TenantDefaults {
  const rows = defaults.map(({ name, description, permissions }) => {
    const at = clock.next()
    return {
      tenant_id: tenantId,
      id: newId<'RoleId'>(),
      name,
      name_key: foldCase(name),
      description,
      permissions: toJson(permissions),
      created_at: at,
      updated_at: at,
    }
  })
  return { statements: [roles.insertAll(rows)], counts: { roles: rows.length } }
}
