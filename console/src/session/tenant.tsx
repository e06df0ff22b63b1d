// The tenant that is open: the one in the address.
import { type RoleFlag, type Tenant, roleFlags } from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, createContext, use } from 'react'
import { call } from '../api/client.ts'
import { Loading, NotFound, Problem } from '../parts/states.tsx'
import { useSession } from './session.tsx'

export interface CurrentTenant {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly environment: Tenant['environment']
  readonly createdAt: string
  /** The user's flags in it; undefined for the operator, who may do everything. */
  readonly flags: ReadonlySet<RoleFlag> | undefined
}

export const tenantKey = (id: string) => ['tenant', id] as const

const TenantContext = createContext<CurrentTenant | undefined>(undefined)

export const useTenantOrNone = (): CurrentTenant | undefined => use(TenantContext)

export function useTenant(): CurrentTenant {
  const tenant = useTenantOrNone()
  if (tenant === undefined) throw new Error('useTenant is used outside of a tenant')
  return tenant
}

/** Returns the path of a screen of the tenant that is open: `useTenantPath()('users')`. */
export function useTenantPath(): (path: string) => string {
  const { id } = useTenant()
  return (path) => `/t/${id}${path === '' ? '' : `/${path}`}`
}

/** Reads a tenant with the flags that the user has in it; undefined if the user can see no such tenant. */
export async function readTenant(id: string, isOperator: boolean): Promise<CurrentTenant | undefined> {
  const { data } = await call('listOwnTenants', { query: { query: id } })
  const own = data.find((each) => each.id === id)
  if (own === undefined) return undefined
  const { name, slug, environment, createdAt } = own
  const flags = isOperator ? undefined : new Set(roleFlags.filter((flag) => own[flag]))
  return { id, name, slug, environment, createdAt, flags }
}

export function TenantGate({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const isOperator = useSession().kind === 'operator'
  const { data, error, refetch } = useQuery({
    queryKey: tenantKey(id),
    queryFn: async () => (await readTenant(id, isOperator)) ?? null,
    staleTime: 60_000,
  })
  if (data === null || isBailiwickError(error, 'not_found', 'validation_failed')) return <NotFound what="tenant" />
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  return <TenantContext value={data}>{children}</TenantContext>
}
