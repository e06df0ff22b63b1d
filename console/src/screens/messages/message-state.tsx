import type { RowOf } from '../../api/operations.ts'
import { Badge } from '../../values/badge.tsx'

type Message = RowOf<'listMessages'>

const tones = { queued: 'warning', sent: 'good', failed: 'bad' } as const

export const MessageState = ({ status }: Pick<Message, 'status'>) => <Badge tone={tones[status]}>{status}</Badge>

const reasons: Readonly<Record<string, string>> = {
  no_channel: 'There is no channel of this kind. Create one, or choose one in the sign-in rules.',
  channel_disabled: 'Its channel is disabled.',
  channel_type_mismatch: 'Its channel sends another kind of message.',
  template_missing: 'Its template has been deleted.',
  template_type_mismatch: 'Its template is for another kind of message.',
  templates_busy: 'Too many templates are waiting to be rendered. It is tried again.',
  tenant_not_trusted: "The operator does not allow this tenant to use its own texts through the deployment's channel.",
  tenant_over_quota: "This tenant has used up today's messages through the deployment's channel.",
  creator_over_quota:
    "The tenants of this tenant's creator have used up today's messages through the deployment's channel.",
  recipient_over_quota: "The limit of messages to this address through the deployment's channel is reached.",
  address_malformed: 'The address is not valid.',
  expired: 'It expired before it could be sent.',
}

/** Returns in a sentence why a message could not be sent; a provider's own words are passed on unchanged. */
export function reasonOf(lastError: string): string {
  if (lastError.startsWith('template_broken')) return `Its template cannot be rendered: ${lastError.slice(15)}`
  return reasons[lastError] ?? lastError
}
