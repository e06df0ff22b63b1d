// Limits messages sent through the deployment's own channel, and names the contact for recipients' complaints.
import { isEmail } from '@bailiwick/contract'
import { integer, optional, refuse, withDefault } from './config-variable.ts'

const messagesMax = 999_999_999

/** Parses an address that is used in headers and links unchanged. */
function contact(text: string): string {
  const rule = 'must be mailto: and an e-mail address, or an https:// address'
  if (!/^[!#-;=?-~]{1,500}$/.test(text) || !URL.canParse(text)) refuse(rule)
  const { protocol, pathname, username, password } = new URL(text)
  const isMail = protocol === 'mailto:' && isEmail(decodeURIComponent(pathname))
  const isPage = protocol === 'https:' && username === '' && password === ''
  return isMail || isPage ? text : refuse(rule)
}

export const sendingVariables = {
  messagesPerTenantPerDay: withDefault({
    name: 'BAILIWICK_MESSAGES_PER_TENANT_PER_DAY',
    parse: integer(0, messagesMax),
    default: '2000',
    description:
      'How many messages a tenant can send through BAILIWICK_SMTP_URL within a day in UTC. PUT /tenants/{id}/limits sets another number for one tenant.',
  }),
  messagesPerCreatorPerDay: optional({
    name: 'BAILIWICK_MESSAGES_PER_CREATOR_PER_DAY',
    parse: integer(0, messagesMax),
    description:
      'How many messages all tenants of one administrator can send together within a day in UTC, including deleted tenants and tenants of the administrators whom that administrator has invited. Default: BAILIWICK_MESSAGES_PER_TENANT_PER_DAY. A tenant with a limit of its own does not count.',
  }),
  messagesPerRecipientPerHour: withDefault({
    name: 'BAILIWICK_MESSAGES_PER_RECIPIENT_PER_HOUR',
    parse: integer(1, messagesMax),
    default: '10',
    description:
      'How many invitations, and how many other messages, one address can get through BAILIWICK_SMTP_URL within an hour from all tenants together.',
  }),
  messagesPerRecipientPerDay: withDefault({
    name: 'BAILIWICK_MESSAGES_PER_RECIPIENT_PER_DAY',
    parse: integer(1, messagesMax),
    default: '30',
    description: 'The same limit within a day.',
  }),
  abuseContact: optional({
    name: 'BAILIWICK_ABUSE_CONTACT',
    parse: contact,
    description:
      'The address to which recipients can report e-mails that were sent through BAILIWICK_SMTP_URL: mailto:abuse@example.com or an https:// URL. It appears at the end of each such e-mail and in its headers.',
  }),
} as const
