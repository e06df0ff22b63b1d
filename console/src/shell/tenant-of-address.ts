import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session/session.tsx'
import { type CurrentTenant, readTenant, tenantKey } from '../session/tenant.tsx'

/** Returns the tenant that the address names, for the parts around the screens; undefined until it is known. */
export function useTenantOfAddress(tenantId: string | undefined): CurrentTenant | undefined {
  const isOperator = useSession().kind === 'operator'
  const { data } = useQuery({
    queryKey: tenantKey(tenantId ?? ''),
    queryFn: async () => (await readTenant(tenantId ?? '', isOperator)) ?? null,
    enabled: tenantId !== undefined,
    staleTime: 60_000,
  })
  return data ?? undefined
}
