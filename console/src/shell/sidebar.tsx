import { Link } from '@tanstack/react-router'
import { Icon } from '../parts/icon.tsx'
import { groups } from '../screens/screen.ts'
import { screens } from '../screens/screens.ts'
import { rightOf } from '../session/rights.ts'
import { useSession } from '../session/session.tsx'
import { useTenantOfAddress } from './tenant-of-address.ts'

/** The screens of the tenant that the user may see. */
export function Sidebar({ tenantId }: { readonly tenantId: string }) {
  const session = useSession()
  const tenant = useTenantOfAddress(tenantId)
  if (tenant === undefined) return <nav className="sidebar" aria-label="Tenant" />
  const seen = screens.filter(
    ({ icon, path, permission }) =>
      icon !== undefined && !path.startsWith('/') && rightOf(permission, session, tenant).isAllowed,
  )
  return (
    <nav className="sidebar" aria-label="Tenant">
      {groups.map((group) => {
        const inGroup = seen.filter((screen) => screen.group === group)
        if (inGroup.length === 0) return null
        return (
          <div key={group} className="sidebar-group">
            {group === '' ? null : <h2>{group}</h2>}
            <ul>
              {inGroup.map(({ path, title, icon }) => (
                <li key={path}>
                  <Link to={`/t/${tenantId}${path === '' ? '' : `/${path}`}`} activeOptions={{ exact: path === '' }}>
                    {icon === undefined ? null : <Icon name={icon} />}
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}
