import { schemas } from 'virtual:operation-schemas'
import { ActionLink } from '../../actions/action-button.tsx'
import { namedChoicesOf, schemaAt } from '../../form/schema.ts'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'
import { kindNameOf } from './channel-fields.ts'
import { MessageState } from './message-state.tsx'

const statuses = namedChoicesOf(schemaAt(schemas.listMessages.query, 'status'))
const kinds = namedChoicesOf(schemaAt(schemas.listMessages.query, 'channelType'))

export function Messages() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const send = (
    <ActionLink right={useMayCall('sendMessage')} to={path('messages/new')} isPrimary>
      Send a message
    </ActionLink>
  )
  return (
    <Page title="Messages" about="Messages to users in the last 30 days, and whether they arrived." actions={send}>
      <RecordList
        operation="listMessages"
        input={{ params: { tenantId } }}
        label="Messages"
        keyOf={({ id }) => id}
        to={({ id }) => path(`messages/${id}`)}
        everyMs={10_000}
        filters={[
          { name: 'status', label: 'Status', options: statuses },
          { name: 'channelType', label: 'Kind', options: kinds },
          { name: 'to', label: 'To' },
          { name: 'userId', label: 'User ID' },
          { name: 'createdAfter', label: 'After', type: 'date' },
          { name: 'createdBefore', label: 'Before', type: 'date' },
        ]}
        columns={[
          { title: 'To', cell: ({ to }) => to },
          { title: 'Subject', cell: ({ subject }) => subject ?? '' },
          { title: 'Kind', cell: ({ channelType }) => <span className="whole">{kindNameOf(channelType)}</span> },
          { title: 'Status', cell: (message) => <MessageState {...message} /> },
          { title: 'Queued', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty title="Nothing has been sent yet" action={send}>
            Codes, links, invitations and notices appear here as they are sent.
          </Empty>
        }
      />
    </Page>
  )
}
