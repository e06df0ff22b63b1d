// Says from when on events exist, how long they are kept, and where that is decided.
import { Link } from '@tanstack/react-router'
import { useOperation } from '../../api/use-operation.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { ExactTime } from '../../values/time.tsx'

const counted = new Intl.NumberFormat(locale)

export function LogRetention() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const { data } = useOperation('getEventRetention', { params: { tenantId } })
  if (data === undefined) return null
  const { days, removed, firstEventAt } = data
  return (
    <p className="quiet">
      {days === null ? 'Events are kept for ever.' : `Events older than ${counted.format(days)} days are removed.`}{' '}
      {removed === 0
        ? null
        : removed === 1
          ? '1 has been removed so far.'
          : `${counted.format(removed)} have been removed so far.`}{' '}
      {removed === 0 || firstEventAt === null ? null : (
        <>
          Time of the oldest event: <ExactTime at={firstEventAt} />.{' '}
        </>
      )}
      <Link to={path('sign-in-rules?tab=protection')}>Change</Link>
    </p>
  )
}
