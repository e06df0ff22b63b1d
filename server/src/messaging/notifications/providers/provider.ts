// The interface of providers, each of which has a file of its own.
import type { ChannelType } from '@bailiwick/contract'
import type { Deps } from '../../deps.ts'

export interface OutgoingMessage {
  /** The same at each attempt, so that receivers recognise repetitions. */
  readonly id: string
  readonly tenantId: string
  /** The purpose: `sign_in`, `organization_invitation` … */
  readonly purpose: string
  readonly type: ChannelType
  readonly to: string
  /** The tenant's name, shown as the sender. */
  readonly senderName: string
  readonly subject: string | null
  readonly text: string
  readonly html: string | null
}

export type SendResult =
  | { readonly kind: 'sent' }
  | {
      /** `refused`: trying again is of no use; `failed`: a later attempt may succeed, at the earliest after `holdMs`. */
      readonly kind: 'refused' | 'failed'
      /** Contains neither personal data nor the content. */
      readonly reason: string
      /** The provider's answer, which may repeat parts of the request. */
      readonly detail?: string | undefined
      readonly holdMs?: number | undefined
      /** Whether no other message would have been sent either, as with wrong credentials. */
      readonly isAboutChannel?: boolean
    }

/** A channel's settings with its secrets in the clear; they were checked when they were written. */
export interface Settings {
  readonly [name: string]: unknown
}

export interface Sending {
  readonly deps: Deps
  readonly message: OutgoingMessage
  /** Undefined for the deployment's own channel. */
  readonly settings: Settings | undefined
  readonly signal: AbortSignal
}

export type Send = (sending: Sending) => Promise<SendResult>

/** Returns a setting that the provider's schema requires, or the empty text. */
export const text = (settings: Settings | undefined, name: string): string => {
  const value = settings?.[name]
  return typeof value === 'string' ? value : ''
}
