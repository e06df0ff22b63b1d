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
      'How many messages a tenant may send through BAILIWICK_SMTP_URL within a day in UTC, whatever causes them; PUT /tenants/{id}/limits sets another number for one tenant.',
  }),
  messagesPerCreatorPerDay: optional({
    name: 'BAILIWICK_MESSAGES_PER_CREATOR_PER_DAY',
    parse: integer(0, messagesMax),
    description:
      'How many messages all tenants that one console user has created may send together within a day in UTC, deleted ones and those of invited console users included; BAILIWICK_MESSAGES_PER_TENANT_PER_DAY by default. A tenant with a number of its own does not count.',
  }),
  messagesPerRecipientPerHour: withDefault({
    name: 'BAILIWICK_MESSAGES_PER_RECIPIENT_PER_HOUR',
    parse: integer(1, messagesMax),
    default: '10',
    description:
      'How many invitations one address gets through BAILIWICK_SMTP_URL within an hour from all tenants together, and how many other messages.',
  }),
  messagesPerRecipientPerDay: withDefault({
    name: 'BAILIWICK_MESSAGES_PER_RECIPIENT_PER_DAY',
    parse: integer(1, messagesMax),
    default: '30',
    description: 'The same within a day.',
  }),
  abuseContact: optional({
    name: 'BAILIWICK_ABUSE_CONTACT',
    parse: contact,
    description:
      'Where recipients of mail through BAILIWICK_SMTP_URL can complain: mailto:abuse@example.com or an https:// address. It is named in a line below each such mail and in its headers.',
  }),
} as const
