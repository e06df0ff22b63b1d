// What sends a message: one file a provider.
import type { ChannelType } from '@bailiwick/contract'
import type { Deps } from '../../deps.ts'

export interface OutgoingMessage {
  /** The same however often it is sent, so that receivers can tell what they have seen. */
  readonly id: string
  readonly tenantId: string
  /** Why it is sent: `sign_in`, `organization_invitation` … */
  readonly purpose: string
  readonly type: ChannelType
  readonly to: string
  /** The tenant's, as the sender is shown. */
  readonly senderName: string
  readonly subject: string | null
  readonly text: string
  readonly html: string | null
}

export type SendResult =
  | { readonly kind: 'sent' }
  | {
      /** `refused`: trying again is of no use; `failed`: it may go well later, at the earliest after `holdMs`. */
      readonly kind: 'refused' | 'failed'
      /** Says nothing of a person, nor of what was sent. */
      readonly reason: string
      /** What the provider said; it may repeat what it was told. */
      readonly detail?: string | undefined
      readonly holdMs?: number | undefined
    }

/** A channel's settings, checked when they were written, its secrets in the clear. */
export interface Settings {
  readonly [name: string]: unknown
}

export interface Sending {
  readonly deps: Deps
  readonly message: OutgoingMessage
  /** undefined: the deployment's own way. */
  readonly settings: Settings | undefined
  readonly signal: AbortSignal
}

export type Send = (sending: Sending) => Promise<SendResult>

/** A setting that the provider's schema requires, or the empty text. */
export const text = (settings: Settings | undefined, name: string): string => {
  const value = settings?.[name]
  return typeof value === 'string' ? value : ''
}
