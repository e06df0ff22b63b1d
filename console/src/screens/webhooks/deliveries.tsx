import { ActionButton } from '../../actions/action-button.tsx'
import type { RowOf } from '../../api/operations.ts'
import { useChange } from '../../api/use-operation.ts'
import { RecordList } from '../../lists/record-list.tsx'
import { Empty, Refusal } from '../../parts/states.tsx'
import { toast } from '../../parts/toasts.tsx'
import { useMayCall } from '../../session/rights.ts'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { eventOptions } from './webhook-fields.ts'

type Delivery = RowOf<'listWebhookDeliveries'>

const statuses = [
  { value: 'undelivered', label: 'Failed or waiting' },
  { value: 'failed', label: 'Given up' },
  { value: 'succeeded', label: 'Delivered' },
]
const states = {
  pending: ['waiting', 'warning'],
  succeeded: ['delivered', 'good'],
  failed: ['given up', 'bad'],
} as const

/** A delivery that has failed and waits for its next attempt is failing, not merely waiting. */
export const isFailing = ({ status, attempts }: Delivery) => status === 'pending' && attempts > 0

function DeliveryState(delivery: Delivery) {
  if (isFailing(delivery)) return <Badge tone="bad">failing</Badge>
  const [text, tone] = states[delivery.status]
  return <Badge tone={tone}>{text}</Badge>
}

function Answer({ responseStatus, error, attempts, nextAttemptAt }: Delivery) {
  return (
    <span className="stack">
      <span>{error ?? responseStatus ?? 'not tried yet'}</span>
      {attempts === 0 ? null : (
        <span className="quiet">
          {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
          {nextAttemptAt === null ? null : (
            <>
              , next <Time at={nextAttemptAt} />
            </>
          )}
        </span>
      )}
    </span>
  )
}

export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const right = useMayCall('retryWebhookDelivery')
  const retry = useChange('retryWebhookDelivery', { onDone: () => toast('It is sent again now.') })
  return (
    <>
      <Refusal error={retry.error} />
      <RecordList
        operation="listWebhookDeliveries"
        input={{ params: { id: webhookId } }}
        label="Deliveries"
        keyOf={({ id }) => id}
        everyMs={5000}
        filters={[
          { name: 'status', label: 'Status', options: statuses },
          { name: 'eventType', label: 'Event', options: eventOptions.filter(({ value }) => value !== '*') },
          { name: 'createdAfter', label: 'After', type: 'date' },
          { name: 'createdBefore', label: 'Before', type: 'date' },
        ]}
        columns={[
          { title: 'Event', cell: ({ eventType }) => <strong>{eventType}</strong> },
          { title: 'Status', cell: (delivery) => <DeliveryState {...delivery} /> },
          { title: 'Answer', cell: (delivery) => <Answer {...delivery} /> },
          { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'Actions',
            cell: ({ id }) => (
              <ActionButton right={right} onClick={() => retry.mutate({ params: { id } })}>
                Send again
              </ActionButton>
            ),
          },
        ]}
        empty={<Empty title="Nothing has been sent yet">Each event that is sent appears here, for 30 days.</Empty>}
      />
    </>
  )
}
