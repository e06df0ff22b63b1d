// The message that carries an invitation and the token that accepts it.
import type { TenantAuthSettings } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import { toMs } from '../../platform/clock.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { NewMessage } from './queue-message.ts'

const minuteMs = 60_000

/** Whether a message is one that its recipient has not asked for. */
export const isInvitation = ({ purpose }: Pick<NewMessage, 'purpose'>) => purpose.endsWith('_invitation')

/** To the page where people sign up, with the token; undefined where the tenant has named none. */
function invitationLink(auth: TenantAuthSettings, token: string): string | undefined {
  const page = [auth.signUpUri, auth.signInUri, auth.homeUri].find((uri) => uri !== null && URL.canParse(uri))
  if (page === undefined || page === null) return undefined
  const link = new URL(page)
  link.searchParams.set('invitationToken', token)
  return link.href
}

export interface Invitation {
  /** Whose channel and templates carry it. */
  readonly tenantId: TenantId
  /** As `NewMessage.countedFor`. */
  readonly countedFor: TenantId | undefined
  readonly auth: TenantAuthSettings
  readonly type: 'organization-invitation' | 'tenant-invitation'
  readonly to: string
  readonly userId: string | null
  readonly token: string
  readonly createdAt: Timestamp
  readonly expiresAt: Timestamp
  /** Names what one is invited to. */
  readonly variables: Readonly<Record<string, unknown>>
}

export function invitationMessage(invitation: Invitation): NewMessage {
  const { tenantId, countedFor, auth, type, to, userId, token } = invitation
  const link = invitationLink(auth, token)
  return {
    tenantId,
    channelType: 'email',
    template: { type },
    to,
    userId,
    variables: {
      ...invitation.variables,
      expiresInMinutes: Math.round((toMs(invitation.expiresAt) - toMs(invitation.createdAt)) / minuteMs),
      ...(link === undefined ? { code: token } : { link }),
    },
    purpose: type.replace('-', '_'),
    ...(countedFor === undefined ? {} : { countedFor }),
  }
}
