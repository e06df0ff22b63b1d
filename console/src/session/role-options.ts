import { useOperation } from '../api/use-operation.ts'
import { useMayCall } from './rights.ts'
import { useTenant } from './tenant.tsx'

/** Returns the tenant's roles to choose from, the newest hundred; none if the user may not see them. */
export function useRoleOptions(): readonly { readonly value: string; readonly label: string }[] {
  const { id: tenantId } = useTenant()
  const { isAllowed } = useMayCall('listRoles')
  const { data } = useOperation(
    'listRoles',
    { params: { tenantId }, query: { perPage: '100' } },
    { enabled: isAllowed },
  )
  return (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
}
