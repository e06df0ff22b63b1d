// Adds to mail from the deployment's own server who sent it and where its recipient can complain.
import { isInvitation } from '../messages/invitation-message.ts'
import type { OutgoingMessage } from './provider.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character)

/**
 * Gmail groups complaints by `Feedback-ID`; it contains purpose and tenant, so that the operator learns whose mail is unwanted.
 * `List-Unsubscribe` (RFC 2369) is only added to invitations, which their recipients have not asked for; large providers exempt codes and
 * notices from it. One-click unsubscription (RFC 8058) is for mailing lists, which do not exist here.
 */
function headersOf(message: OutgoingMessage, contact: string | undefined): Record<string, string> {
  return {
    'Feedback-ID': `${message.purpose}:${message.tenantId}:bailiwick`,
    ...(contact === undefined ? {} : { 'X-Report-Abuse': `<${contact}>` }),
    ...(contact === undefined || !isInvitation(message) ? {} : { 'List-Unsubscribe': `<${contact}>` }),
  }
}

function withFooter(html: string, footer: string): string {
  const end = html.toLowerCase().lastIndexOf('</body>')
  return end === -1 ? `${html}\n${footer}\n` : `${html.slice(0, end)}${footer}\n${html.slice(end)}`
}

/** Returns the message with its headers and, if the deployment has a contact, with a line that names it. */
export function ownMail(message: OutgoingMessage, contact: string | undefined) {
  const headers = headersOf(message, contact)
  const { text, html } = message
  if (contact === undefined) return { text, html, headers }
  const shown = contact.replace(/^mailto:/, '')
  const line = 'You did not expect this message? Report it: '
  const link = `<a href="${escape(contact)}">${escape(shown)}</a>`
  const footer = `<p style="max-width:560px;margin:16px auto;font-size:12px;color:#666">${line}${link}</p>`
  return { text: `${text}\n\n-- \n${line}${shown}\n`, html: html === null ? null : withFooter(html, footer), headers }
}
