// The way from an empty tenant to one in which people sign in. A step is ticked only by what has happened: a sign-in, a message that was
// sent, an account that was connected, an application that was let in.
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { InputOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/page.tsx'
import { useMay, useMayCall } from '../../session/rights.ts'
import { useSession } from '../../session/session.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'

interface Point {
  readonly title: string
  readonly about: string
  readonly ways: ReactNode
  /** Undefined while it is not known. */
  readonly isDone: boolean | undefined
}

const everyMs = 5000
const messagesPerPage = '50'

const hasValue = (brand: object) => Object.values(brand).some((value) => value !== null && value !== '')

type EventType = NonNullable<NonNullable<InputOf<'listEvents'>['query']>['type']>

/** Returns whether an event of the type has ever happened; undefined for readers who may not see events. */
function useHappened(type: EventType): boolean | undefined {
  const { id: tenantId } = useTenant()
  const enabled = useMayCall('listEvents').isAllowed
  const { data } = useOperation('listEvents', { params: { tenantId }, query: { type, perPage: '1' } }, { enabled })
  return data && data.data.length > 0
}

function useSignedIn(): boolean | undefined {
  const { id: tenantId } = useTenant()
  const enabled = useMay('users:read').isAllowed
  const { data } = useOperation('listRecentSignIns', { query: { tenantId } }, { enabled, everyMs })
  return data && data.length > 0
}

/** Returns whether the tenant's own channel is in use and has sent something. */
function useOwnMail(): boolean | undefined {
  const { id } = useTenant()
  const { data: tenant } = useOperation('getAuthTenant', { params: { id } })
  const chosen = tenant?.auth?.emailChannelId
  const { data: messages } = useOperation('listMessages', {
    params: { tenantId: id },
    query: { status: 'sent', channelType: 'email', perPage: messagesPerPage },
  })
  if (tenant === undefined || messages === undefined) return undefined
  return chosen !== null && messages.data.some(({ channelId }) => channelId === chosen)
}

function useBranded(): boolean | undefined {
  const { id } = useTenant()
  const { data: tenant } = useOperation('getTenant', { params: { id } })
  const { data: brand } = useOperation('getTenantBrand', { params: { id } })
  if (tenant === undefined || brand === undefined) return undefined
  return tenant.logoId !== null && hasValue(brand)
}

/** The tenant's own sign-in page, and beside it the inbox where its messages arrive in development. */
function SignInWays() {
  const { slug } = useTenant()
  const isDevelopment = useSession().deployment.environment === 'development'
  return (
    <>
      <a className="button small primary" href={`/t/${slug}/sign-in`} target="_blank" rel="noreferrer">
        Open your sign-in page
      </a>
      {isDevelopment ? (
        <a className="button small" href="/dev/inbox" target="_blank" rel="noreferrer">
          Open the inbox
        </a>
      ) : null}
    </>
  )
}

function usePoints(): readonly Point[] {
  const path = useTenantPath()
  const way = (to: string, text: string) => (
    <Link className="button small" to={path(to)}>
      {text}
    </Link>
  )
  return [
    {
      title: 'Sign a first user in',
      about: 'Open the page as your users see it, sign up, and enter the code from the inbox.',
      ways: <SignInWays />,
      isDone: useSignedIn(),
    },
    {
      title: 'Put your logo and colours on it',
      about: 'One colour is enough: all others follow from it.',
      ways: way('brand', 'Set the brand'),
      isDone: useBranded(),
    },
    {
      title: 'Send e-mail from your own address',
      about: 'Create a channel, send a test, and use it for all e-mail.',
      ways: way('channels/new', 'Create a channel'),
      isDone: useOwnMail(),
    },
    {
      title: 'Let an application sign users in',
      about: 'Name it, choose its type, and copy the code. Done when a user has signed in to it.',
      ways: way('applications/new', 'Create an application'),
      isDone: useHappened('grant.created'),
    },
    {
      title: 'Offer a social provider, if you want one',
      about: 'Users see its button once its client is complete. Done when it has signed a user in.',
      ways: way('social-providers/new', 'Add a provider'),
      isDone: useHappened('social_connection.created'),
    },
  ]
}

const storageKey = (tenantId: string) => `bailiwick-console-set-up-${tenantId}`

function Step({ of: { title, about, ways, isDone } }: { readonly of: Point }) {
  return (
    <li data-done={isDone === true}>
      <span className="tick">{isDone === true ? <Icon name="check" /> : null}</span>
      <span className="check-text">
        <strong>{title}</strong>
        <span className="visually-hidden">{isDone === true ? ' (done)' : ' (to do)'}</span>
        {isDone === true ? null : <span className="quiet">{about}</span>}
      </span>
      {isDone === true ? null : <span className="actions">{ways}</span>}
    </li>
  )
}

export function CheckList() {
  const { id } = useTenant()
  const points = usePoints()
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(storageKey(id)) !== null)
  const done = points.filter(({ isDone }) => isDone === true).length
  if (isDismissed || done === points.length || points.every(({ isDone }) => isDone === undefined)) return null
  const dismiss = () => {
    localStorage.setItem(storageKey(id), 'dismissed')
    setDismissed(true)
  }
  return (
    <Section
      title="Set up this tenant"
      about={`${done} of ${points.length} steps are proved to work.`}
      actions={
        <button type="button" className="button small" onClick={dismiss}>
          Dismiss
        </button>
      }
    >
      <ol className="check-list">
        {points.map((point) => (
          <Step key={point.title} of={point} />
        ))}
      </ol>
    </Section>
  )
}
