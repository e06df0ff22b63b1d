import { useOperation } from '../api/use-operation.ts'
import { useMayCall } from './rights.ts'
import { useTenant } from './tenant.tsx'

interface RoleOption {
  readonly value: string
  readonly label: string
}

/** The field that says who can assign a role in an organization. */
export const assignableByField = {
  name: 'assignableBy',
  isRequired: true,
  fallback: () => 'covering_role',
  options: [
    { value: 'covering_role', label: 'Members who have all of its permissions' },
    { value: 'organization_managers', label: 'All members who can manage members or invitations' },
    { value: 'tenant', label: 'Only this tenant' },
  ],
} as const

/** Returns the roles that members of an organization can have: those of the tenant, the newest hundred, and the organization's own. */
export function useOrganizationRoles(organizationId: string): readonly RoleOption[] {
  const options = useRoleOptions()
  const { isAllowed } = useMayCall('listOrganizationRoles')
  const { data } = useOperation('listOrganizationRoles', { params: { organizationId } }, { enabled: isAllowed })
  return [...options, ...(data ?? []).map(({ id, name }) => ({ value: id, label: name }))]
}

/** Returns the tenant's roles to choose from, the newest hundred; none if the user may not see them. */
export function useRoleOptions(): readonly RoleOption[] {
  const { id: tenantId } = useTenant()
  const { isAllowed } = useMayCall('listRoles')
  const { data } = useOperation(
    'listRoles',
    { params: { tenantId }, query: { perPage: '100' } },
    { enabled: isAllowed },
  )
  return (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
}
