// The message with an invitation and the token that accepts it.
import type { TenantAuthSettings } from '@bailiwick/contract'
import { type Timestamp, toMs } from '../../../platform/clock.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { type HostedPlace, hostedRootOfId } from '../../../tenancy/tenants/hosted-pages.ts'
import type { NewMessage } from './queue-message.ts'

const minuteMs = 60_000

/** Whether the recipient has not asked for the message. */
export const isInvitation = ({ purpose }: Pick<NewMessage, 'purpose'>) => purpose.endsWith('_invitation')

/**
 * Returns a link with the token to the app's page where people sign up or in, or to the hosted page if the tenant has configured none. The
 * app's home page is not one of them: it would drop the token.
 */
function invitationLink({ auth, tenantId, token }: Invitation, config: HostedPlace): string {
  const page = [auth.signUpUri, auth.signInUri].find((uri) => uri !== null && URL.canParse(uri))
  const isHosted = page === undefined || page === null
  const link = new URL(isHosted ? `${hostedRootOfId(config, tenantId)}/invitation` : page)
  link.searchParams.set(isHosted ? 'token' : 'invitationToken', token)
  return link.href
}

export interface Invitation {
  /** The tenant whose channel and templates are used. */
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
  /** Names what the recipient is invited to. */
  readonly variables: Readonly<Record<string, unknown>>
}

export function invitationMessage(invitation: Invitation, config: HostedPlace): NewMessage {
  const { tenantId, countedFor, type, to, userId } = invitation
  return {
    tenantId,
    channelType: 'email',
    template: { type },
    to,
    userId,
    variables: {
      ...invitation.variables,
      expiresInMinutes: Math.round((toMs(invitation.expiresAt) - toMs(invitation.createdAt)) / minuteMs),
      link: invitationLink(invitation, config),
    },
    purpose: type.replace('-', '_'),
    ...(countedFor === undefined ? {} : { countedFor }),
  }
}
