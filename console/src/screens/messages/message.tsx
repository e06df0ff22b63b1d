import { useParams } from '@tanstack/react-router'
import { ActionButton } from '../../actions/action-button.tsx'
import type { AnswerOf } from '../../api/operations.ts'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { MarkupFrame } from '../../parts/markup-frame.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Refusal } from '../../parts/states.tsx'
import { toast } from '../../parts/toasts.tsx'
import { unlessPrevented, useMayCall } from '../../session/rights.ts'
import { ChannelLink, TemplateLink, UserLink } from '../../values/record-names.tsx'
import { Time } from '../../values/time.tsx'
import { kindNameOf, providerNameOf } from './channel-fields.ts'
import { MessageState, reasonOf } from './message-state.tsx'

type MessageRecord = AnswerOf<'getMessage'>

function Delivery({ message }: { readonly message: MessageRecord }) {
  const { userId, channelId, channelType, provider, templateId, attempts, lastError } = message
  return (
    <Section title="Delivery">
      <Facts
        rows={[
          ['Status', <MessageState key="status" {...message} />],
          ...(lastError === null ? [] : [['Last problem', reasonOf(lastError)] as const]),
          ['Attempts', String(attempts)],
          ['Queued', <Time key="queued" at={message.createdAt} />],
          ['Sent', <Time key="sent" at={message.sentAt} />],
          ['Kind', kindNameOf(channelType)],
          ['Delivered by', provider === null ? undefined : providerNameOf(provider)],
          ['Channel', channelId === null ? "the deployment's own" : <ChannelLink key="channel" id={channelId} />],
          ['Template', templateId === null ? 'the default one' : <TemplateLink key="template" id={templateId} />],
          ['User', userId === null ? undefined : <UserLink key="user" id={userId} />],
        ]}
      />
    </Section>
  )
}

/** Kept by the service only in a development deployment. */
function Content({ message: { text, html } }: { readonly message: MessageRecord }) {
  if (text === null && html === null) return null
  return (
    <Section title="Content" about="Shown only in a development deployment.">
      {html === null ? (
        <pre className="code" tabIndex={0} aria-label="Text">
          <code>{text}</code>
        </pre>
      ) : (
        <MarkupFrame title="Content" html={html} />
      )}
    </Section>
  )
}

function MessageScreen({ message }: { readonly message: MessageRecord }) {
  const { id, to, subject, status } = message
  const right = useMayCall('resendMessage')
  const resend = useChange('resendMessage', { onDone: () => toast('It is tried again now.') })
  const again = (
    <ActionButton
      right={unlessPrevented(right, status === 'sent' ? 'It was sent, and its content was removed.' : undefined)}
      onClick={() => resend.mutate({ params: { id } })}
    >
      Try again now
    </ActionButton>
  )
  return (
    <Page title={subject ?? 'Message'} about={`To ${to}`} actions={again}>
      <Refusal error={resend.error} />
      <Delivery message={message} />
      <Content message={message} />
    </Page>
  )
}

export function Message() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  const message = useOperation('getMessage', { params: { id } }, { everyMs: 5000 })
  return (
    <Query of={message} what="message">
      {(found) => <MessageScreen message={found} />}
    </Query>
  )
}
