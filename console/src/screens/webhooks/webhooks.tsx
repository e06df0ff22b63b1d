import { ActionLink } from '../../actions/action-button.tsx'
import type { RowOf } from '../../api/operations.ts'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'

export function WebhookState({
  enabled,
  failingSince,
  firstFailedAt,
}: Pick<RowOf<'listWebhooks'>, 'enabled' | 'failingSince' | 'firstFailedAt'>) {
  if (!enabled) return <Badge>disabled</Badge>
  const since = failingSince ?? firstFailedAt
  if (since === null) return <Badge tone="good">enabled</Badge>
  return (
    <>
      <Badge tone="bad">failing</Badge> since <Time at={since} />
    </>
  )
}

export function Webhooks() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const create = (
    <ActionLink right={useMayCall('createWebhook')} to={path('webhooks/new')} isPrimary>
      Create a webhook
    </ActionLink>
  )
  return (
    <Page title="Webhooks" about="URLs to which events are sent as they happen." actions={create}>
      <RecordList
        operation="listWebhooks"
        input={{ params: { tenantId } }}
        label="Webhooks"
        keyOf={({ id }) => id}
        to={({ id }) => path(`webhooks/${id}`)}
        columns={[
          { title: 'Address', cell: ({ url }) => url },
          {
            title: 'Events',
            cell: ({ events }) => {
              const isAll = events.includes('*')
              if (!isAll && events.length <= 2) return events.join(', ')
              return <span className="whole">{isAll ? 'All events' : `${events.length} types`}</span>
            },
          },
          { title: 'State', cell: (webhook) => <WebhookState {...webhook} /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty title="There are no webhooks yet" action={create}>
            Your own services are notified of new users, sign-ins and changes.
          </Empty>
        }
      />
    </Page>
  )
}
