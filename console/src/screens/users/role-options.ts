import { useOperation } from '../../api/use-operation.ts'
import type { FieldSpec } from '../../form/field-spec.ts'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'

interface RoleOption {
  readonly value: string
  readonly label: string
}

/** Returns the fields of a user's role in the tenant. */
export const roleFields = (roles: readonly RoleOption[]): readonly FieldSpec[] => [
  { name: 'roleId', label: 'Role', options: roles },
  { name: 'roleExpiresAt', label: 'Role ends', hint: 'Leave empty for a role without an end.', isTime: true },
]

/** Returns the roles of the tenant to choose from; undefined if the user may not see them. */
export function useRoleOptions(): readonly RoleOption[] | undefined {
  const { id: tenantId } = useTenant()
  const { isAllowed } = useMayCall('listRoles')
  const { data } = useOperation(
    'listRoles',
    { params: { tenantId }, query: { perPage: '100' } },
    { enabled: isAllowed },
  )
  return isAllowed ? (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })) : undefined
}
