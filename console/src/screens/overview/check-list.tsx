// What a tenant needs before people use it. Each point ticks itself once the service says that it is done.
import { Link } from '@tanstack/react-router'
import { useOperation } from '../../api/use-operation.ts'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/page.tsx'
import { useMay } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'

interface Point {
  readonly title: string
  readonly path: string
  /** Undefined while it is not known. */
  readonly isDone: boolean | undefined
}

const hasValue = (brand: unknown) =>
  typeof brand === 'object' && brand !== null && Object.values(brand).some((value) => value !== null && value !== '')

function usePoints(): readonly Point[] {
  const { id: tenantId } = useTenant()
  const maySeeUsers = useMay('users:read').isAllowed
  const { data: domains } = useOperation('listDomains', { query: { tenantId } })
  const { data: channels } = useOperation('listChannels', { params: { tenantId }, query: { perPage: '100' } })
  const { data: brand } = useOperation('getTenantBrand', { params: { id: tenantId } })
  const { data: users } = useOperation('listUsers', { query: { tenantId, perPage: '1' } }, { enabled: maySeeUsers })
  const { data: signIns } = useOperation('listRecentSignIns', { query: { tenantId } }, { enabled: maySeeUsers })
  return [
    {
      title: 'Verify a domain of your own',
      path: 'domains',
      isDone: domains?.some(({ verified, type }) => verified && type === 'external'),
    },
    {
      title: 'Send mail through your own provider',
      path: 'channels',
      isDone: channels?.data.some(({ type, enabled }) => type === 'email' && enabled),
    },
    { title: 'Set your brand', path: 'brand', isDone: brand === undefined ? undefined : hasValue(brand) },
    ...(maySeeUsers
      ? [
          { title: 'Have a first user', path: 'users', isDone: users && users.meta.total > 0 },
          {
            title: 'Put the keys into an app, and sign in there',
            path: 'environment',
            isDone: signIns && signIns.length > 0,
          },
        ]
      : []),
  ]
}

export function CheckList() {
  const path = useTenantPath()
  const points = usePoints()
  if (points.every(({ isDone }) => isDone === true)) return null
  return (
    <Section title="Finish setting up">
      <ul className="check-list">
        {points.map(({ title, path: to, isDone }) => (
          <li key={title} data-done={isDone === true}>
            <span className="tick">{isDone === true ? <Icon name="check" /> : null}</span>
            <Link to={path(to)}>{title}</Link>
            <span className="visually-hidden">{isDone === true ? ' (done)' : ' (to do)'}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
