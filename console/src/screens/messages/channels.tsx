import { ActionLink } from '../../actions/action-button.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { kindNameOf, providerNameOf } from './channel-fields.ts'
import { useChannelInUse } from './channel-use.tsx'

const wholeKind: Readonly<Record<string, string>> = { email: 'all e-mail', sms: 'all text messages' }

export function Channels() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const inUse: Readonly<Record<string, string | null | undefined>> = {
    email: useChannelInUse('email'),
    sms: useChannelInUse('sms'),
  }
  const create = (
    <ActionLink right={useMayCall('createChannel')} to={path('channels/new')} isPrimary>
      Create a channel
    </ActionLink>
  )
  return (
    <Page title="Channels" about="Who delivers this tenant's messages, and from which address." actions={create}>
      {inUse['email'] === null ? (
        <p className="note">
          E-mail leaves through the channel of this deployment until one of these is used for all e-mail.
        </p>
      ) : null}
      <RecordList
        operation="listChannels"
        input={{ params: { tenantId } }}
        label="Channels"
        keyOf={({ id }) => id}
        to={({ id }) => path(`channels/${id}`)}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Key', cell: ({ key }) => <code>{key}</code> },
          { title: 'Kind', cell: ({ type }) => kindNameOf(type) },
          { title: 'Delivered by', cell: ({ provider }) => providerNameOf(provider) },
          {
            title: 'State',
            cell: ({ enabled }) => <Badge tone={enabled ? 'good' : 'plain'}>{enabled ? 'enabled' : 'disabled'}</Badge>,
          },
          {
            title: 'Used for',
            cell: ({ id, type }) => (id === inUse[type] ? wholeKind[type] : 'messages that name it'),
          },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty title="There are no channels yet" action={create}>
            Until there is one, messages leave through the deployment's own channel, within its limits.
          </Empty>
        }
      />
    </Page>
  )
}
