// What a channel is used for, and the way there: a test that went out, then one step that makes it the channel of all messages of its kind.
import type { Channel } from '@bailiwick/contract'
import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { messageOf } from '../../api/client.ts'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Section } from '../../parts/page.tsx'
import { toast } from '../../parts/toasts.tsx'
import { unlessPrevented, useMayCall } from '../../session/rights.ts'
import { useSession } from '../../session/session.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { MessageState, reasonOf } from './message-state.tsx'
import { useTemplateChoices } from './pickers.ts'

type Kind = 'email' | 'sms'
const isChosenInRules = (type: string): type is Kind => type === 'email' || type === 'sms'

const wholeKind = { email: 'all e-mail', sms: 'all text messages' } as const
const settings = { email: 'emailChannelId', sms: 'smsChannelId' } as const

/** Returns the id of the channel that the sign-in rules name for a kind of message; null for that of the deployment. */
export function useChannelInUse(kind: Kind): string | null | undefined {
  const { id } = useTenant()
  const { data } = useOperation('getAuthTenant', { params: { id } })
  return data === undefined ? undefined : (data.auth?.[settings[kind]] ?? null)
}

const pollMs = 1000
/** A test that was sent from here, or elsewhere, is noticed after this time at the latest. */
const proofPollMs = 3000
const provenPerPage = '50'

/** Returns a message that this channel has sent, which proves that it works. */
function useProof(channel: Channel, kind: Kind) {
  const { id: tenantId } = useTenant()
  const { data } = useOperation(
    'listMessages',
    { params: { tenantId }, query: { status: 'sent', channelType: kind, perPage: provenPerPage } },
    { everyMs: proofPollMs },
  )
  return data?.data.find(({ channelId }) => channelId === channel.id)
}

/** Follows a test until it was sent or has failed. */
function Outcome({ id }: { readonly id: string }) {
  const { data: sent } = useOperation('getMessage', { params: { id } }, { everyMs: pollMs })
  if (sent === undefined) return null
  return (
    <p role="status">
      <MessageState status={sent.status} />{' '}
      {sent.status === 'sent' ? `The provider has accepted the test to ${sent.to}. Look whether it has arrived.` : null}
      {sent.status === 'queued' && sent.lastError === null ? 'It is being sent.' : null}
      {sent.lastError === null ? null : reasonOf(sent.lastError)}
    </p>
  )
}

function Test({ channel, onSent }: { readonly channel: Channel; readonly onSent: (id: string) => void }) {
  const { user } = useSession() as {
    readonly user?: { readonly emailAddresses: readonly { readonly email: string }[] }
  }
  const own = channel.type === 'email' ? user?.emailAddresses[0]?.email : undefined
  const templates = useTemplateChoices(channel.type)
  const [first] = templates
  if (first === undefined) return null
  return (
    <OperationForm
      key={first.value}
      operation="testMessage"
      start={{
        channelId: channel.id,
        variables: {},
        templateId: first.value,
        ...(own === undefined ? {} : { input: { to: own } }),
      }}
      fields={[
        { name: 'input/to', label: channel.type === 'email' ? 'To' : 'To (number)', hint: 'At most 10 tests an hour.' },
        { name: 'templateId', label: 'Template', options: templates },
      ]}
      submit="Send a test message"
      onDone={({ id }) => onSent(id)}
    />
  )
}

function UseForAll({ channel, kind }: { readonly channel: Channel; readonly kind: Kind }) {
  const { id } = useTenant()
  const right = useMayCall('putAuthTenant')
  const inUse = useChannelInUse(kind)
  const proof = useProof(channel, kind)
  const change = useChange('putAuthTenant', {
    onDone: () => toast(`${channel.name} sends ${wholeKind[kind]} from now on.`),
  })
  const isInUse = inUse === channel.id
  const prevented = !channel.enabled
    ? 'Enable the channel first.'
    : proof === undefined
      ? 'Send a test message first.'
      : undefined
  const set = (to: string | null) => change.mutate({ params: { id }, body: { [settings[kind]]: to } })
  return (
    <>
      <p>
        {isInUse ? (
          <>
            <Badge tone={channel.enabled ? 'good' : 'bad'}>{channel.enabled ? 'in use' : 'in use, but disabled'}</Badge>{' '}
            It sends {wholeKind[kind]} of this tenant.
          </>
        ) : (
          <>
            <Badge tone="warning">not used yet</Badge>{' '}
            {inUse === null
              ? `The channel of this deployment sends ${wholeKind[kind]}.`
              : `Another channel sends ${wholeKind[kind]}. This one sends only messages that name it.`}
          </>
        )}
      </p>
      {proof === undefined ? null : (
        <p className="quiet">
          It last sent a message <Time at={proof.sentAt} />.
        </p>
      )}
      <div className="actions">
        {isInUse ? (
          <ActionButton right={right} onClick={() => set(null)}>
            Stop using it
          </ActionButton>
        ) : (
          <ActionButton
            right={unlessPrevented(right, prevented)}
            isPrimary={prevented === undefined}
            onClick={() => set(channel.id)}
          >
            Use for {wholeKind[kind]}
          </ActionButton>
        )}
        {change.error === null ? null : (
          <span className="field-problem" role="alert">
            {messageOf(change.error)}
          </span>
        )}
      </div>
    </>
  )
}

export function ChannelUse({ channel }: { readonly channel: Channel }) {
  const [sentId, setSentId] = useState<string>()
  const { type } = channel
  return (
    <Section title="Test and use">
      <Test channel={channel} onSent={setSentId} />
      {sentId === undefined ? null : <Outcome id={sentId} />}
      {isChosenInRules(type) ? <UseForAll channel={channel} kind={type} /> : null}
    </Section>
  )
}
