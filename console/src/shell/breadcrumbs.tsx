import { Link, useLocation, useParams } from '@tanstack/react-router'
import { useOperation } from '../api/use-operation.ts'
import { screens } from '../screens/screens.ts'
import { useTenantOfAddress } from './tenant-of-address.ts'

interface Crumb {
  readonly title: string
  readonly to: string
}

/** Returns the screens that lead to a path: those whose own paths are its beginnings. */
function crumbsBelow(tenantId: string, path: string): Crumb[] {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.slice(0, -1).flatMap((_part, index) => {
    const asked = parts.slice(0, index + 1)
    const found = screens.find(({ path: own }) => {
      const names = own.split('/')
      return names.length === asked.length && names.every((name, at) => name.startsWith('$') || name === asked[at])
    })
    return found === undefined ? [] : [{ title: found.title, to: `/t/${tenantId}/${asked.join('/')}` }]
  })
}

/** Returns the path of a screen; that of a connection is below its organization. */
function usePlace(path: string): string {
  const id = /^\/connections\/([^/]+)/.exec(path)?.[1]
  const { data } = useOperation('getConnection', { params: { id: id ?? '' } }, { enabled: id !== undefined })
  return data === undefined ? path : `/organizations/${data.organizationId}/sign-on/${data.id}`
}

/** Replaces the title of an organization's screen by the organization's name. */
function useNamed(crumbs: readonly Crumb[]): readonly Crumb[] {
  const id = crumbs.map(({ to }) => /\/organizations\/([^/]+)$/.exec(to)?.[1]).find((found) => found !== undefined)
  const { data } = useOperation('getOrganization', { params: { id: id ?? '' } }, { enabled: id !== undefined })
  if (data === undefined) return crumbs
  return crumbs.map((crumb) => (crumb.to.endsWith(`/organizations/${id}`) ? { ...crumb, title: data.name } : crumb))
}

/** The way up from a screen. The screen itself is its heading, so it is not repeated here. */
export function Breadcrumbs() {
  const { tenantId } = useParams({ strict: false }) as { readonly tenantId?: string }
  const { pathname } = useLocation()
  const tenant = useTenantOfAddress(tenantId)
  const place = usePlace(tenantId === undefined ? '' : pathname.slice(`/t/${tenantId}`.length))
  const below = useNamed(tenantId === undefined ? [] : crumbsBelow(tenantId, place))
  if (pathname === '/') return null
  const isTenantItself = pathname.replace(/\/$/, '') === `/t/${tenantId ?? ''}`
  const crumbs: readonly Crumb[] = [
    { title: 'Tenants', to: '/' },
    ...(tenant === undefined || isTenantItself ? [] : [{ title: tenant.name, to: `/t/${tenant.id}` }]),
    ...below,
  ]
  return (
    <nav className="crumbs" aria-label="Breadcrumbs">
      <ol>
        {crumbs.map(({ title, to }) => (
          <li key={to}>
            <Link to={to}>{title}</Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
