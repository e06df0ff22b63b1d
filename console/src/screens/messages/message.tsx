import { Link, useParams } from '@tanstack/react-router'
import { ActionButton } from '../../actions/action-button.tsx'
import { messageOf } from '../../api/client.ts'
import type { AnswerOf } from '../../api/operations.ts'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { MarkupFrame } from '../../parts/markup-frame.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { toast } from '../../parts/toasts.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenantPath } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'
import { kindNameOf, providerNameOf } from './channel-fields.ts'
import { MessageState, reasonOf } from './message-state.tsx'

function Shown({ message }: { readonly message: AnswerOf<'getMessage'> }) {
  const { id, to, subject, userId, channelId, channelType, provider, templateId, attempts, lastError } = message
  const path = useTenantPath()
  const right = useMayCall('resendMessage')
  const resend = useChange('resendMessage', { onDone: () => toast('It is tried again now.') })
  const isSent = message.status === 'sent'
  const again = (
    <ActionButton
      right={isSent ? { isAllowed: false, reason: 'It was sent, and its content was removed.' } : right}
      onClick={() => resend.mutate({ params: { id } })}
    >
      Try again now
    </ActionButton>
  )
  return (
    <Page title={subject ?? 'Message'} about={`To ${to}`} actions={again}>
      {resend.error === null ? null : (
        <p className="form-problem" role="alert">
          {messageOf(resend.error)}
        </p>
      )}
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
            [
              'Channel',
              channelId === null ? (
                "the deployment's own"
              ) : (
                <Link key="channel" to={path(`channels/${channelId}`)}>
                  {channelId}
                </Link>
              ),
            ],
            [
              'Template',
              templateId === null ? (
                'the default one'
              ) : (
                <Link key="template" to={path(`templates/${templateId}`)}>
                  {templateId}
                </Link>
              ),
            ],
            [
              'User',
              userId === null ? undefined : (
                <Link key="user" to={path(`users/${userId}`)}>
                  {userId}
                </Link>
              ),
            ],
          ]}
        />
      </Section>
      {message.text === null && message.html === null ? null : (
        <Section title="Content" about="Shown only in a development deployment.">
          {message.html === null ? (
            <pre className="code" tabIndex={0} aria-label="Text">
              <code>{message.text}</code>
            </pre>
          ) : (
            <MarkupFrame title="Content" html={message.html} />
          )}
        </Section>
      )}
    </Page>
  )
}

export function Message() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  const message = useOperation('getMessage', { params: { id } }, { everyMs: 5000 })
  return (
    <Query of={message} what="message">
      {(found) => <Shown message={found} />}
    </Query>
  )
}
