// What sends a message: one file a provider.
import type { ChannelType } from '@bailiwick/contract'
import type { Deps } from '../../deps.ts'

export interface OutgoingMessage {
  /** The same however often it is sent, so that receivers can tell what they have seen. */
  readonly id: string
  readonly type: ChannelType
  readonly to: string
  readonly subject: string | null
  readonly text: string
  readonly html: string | null
}

export type SendResult =
  | { readonly kind: 'sent' }
  /** Trying again is of no use. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** May go well later, at the earliest after `holdMs`. */
  | { readonly kind: 'failed'; readonly reason: string; readonly holdMs?: number | undefined }

export interface Sending {
  readonly deps: Deps
  readonly message: OutgoingMessage
  /** The channel's settings, its secrets in the clear. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

export type Send = (sending: Sending) => Promise<SendResult>
