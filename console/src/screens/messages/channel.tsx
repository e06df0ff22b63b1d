import { useParams } from '@tanstack/react-router'
import { DeleteSection } from '../../actions/delete-section.tsx'
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Copyable } from '../../values/copy.tsx'
import { channelFields, kindNameOf, providerNameOf, withOtherSettings, withoutMasks } from './channel-fields.ts'
import { ChannelUse } from './channel-use.tsx'

function Shown({ channel }: { readonly channel: AnswerOf<'getChannel'> }) {
  const { id, name, key, type, provider, providerSettings } = channel
  const record = { ...channel, providerSettings: withoutMasks(provider, providerSettings) }
  return (
    <Page title={name}>
      <Section title="Channel">
        <Facts
          rows={[
            ['Kind', kindNameOf(type)],
            ['Delivered by', providerNameOf(provider)],
            ['Key', <Copyable key="key" text={key} />],
          ]}
        />
      </Section>
      <ChannelUse channel={channel} />
      <Section
        title="Settings"
        about="A secret that you leave empty stays as it is. If the address to which it is sent changes, enter it again."
      >
        <OperationForm
          operation="updateChannel"
          params={{ id }}
          record={record}
          fields={channelFields}
          toBody={(body) => withOtherSettings(providerSettings, body)}
          submit="Save"
          done="Saved."
        />
      </Section>
      <DeleteSection
        operation="deleteChannel"
        input={{ params: { id } }}
        title="Delete this channel"
        about="Only a channel that the sign-in rules do not use can be deleted."
        label="Delete channel"
        name={name}
        list="channels"
      >
        No message is sent through it any more. This cannot be undone.
      </DeleteSection>
    </Page>
  )
}

export function Channel() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  const channel = useOperation('getChannel', { params: { id } })
  return (
    <Query of={channel} what="channel">
      {(found) => <Shown key={found.id} channel={found} />}
    </Query>
  )
}
