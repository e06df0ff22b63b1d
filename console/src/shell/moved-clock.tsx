import { Link } from '@tanstack/react-router'
import { useOperation } from '../api/use-operation.ts'
import { Icon } from '../parts/icon.tsx'
import { useMayCall } from '../session/rights.ts'
import { useTenant, useTenantPath } from '../session/tenant.tsx'
import { exactTime } from '../values/time.tsx'

/** Says that the clock of the tenant is not the real one, because most of what a screen shows goes by it. */
export function MovedClock() {
  const { id } = useTenant()
  const path = useTenantPath()
  const { isAllowed } = useMayCall('getTenantClock')
  const { data } = useOperation('getTenantClock', { params: { id } }, { enabled: isAllowed })
  if (data === undefined || data.aheadSeconds === 0) return null
  return (
    <aside className="note" aria-label="The clock of this tenant">
      <Icon name="clock" />{' '}
      <span>
        {`The clock of this tenant is ahead: it shows ${exactTime(data.now)}.`}{' '}
        <Link to={path('test-mode')}>Test mode</Link>
      </span>
    </aside>
  )
}
