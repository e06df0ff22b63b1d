import { Link, useLocation, useParams } from '@tanstack/react-router'
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

/** The way up from a screen. The screen itself is its heading, so it is not repeated here. */
export function Breadcrumbs() {
  const { tenantId } = useParams({ strict: false }) as { readonly tenantId?: string }
  const { pathname } = useLocation()
  const tenant = useTenantOfAddress(tenantId)
  if (pathname === '/') return null
  const below = tenantId === undefined ? [] : crumbsBelow(tenantId, pathname.slice(`/t/${tenantId}`.length))
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
