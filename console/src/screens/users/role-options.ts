import { useOperation } from '../../api/use-operation.ts'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'

/** Returns the roles of the tenant to choose from; undefined if the user may not see them. */
export function useRoleOptions(): readonly { readonly value: string; readonly label: string }[] | undefined {
  const { id: tenantId } = useTenant()
  const { isAllowed } = useMayCall('listRoles')
  const { data } = useOperation(
    'listRoles',
    { params: { tenantId }, query: { perPage: '100' } },
    { enabled: isAllowed },
  )
  return isAllowed ? (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })) : undefined
}
