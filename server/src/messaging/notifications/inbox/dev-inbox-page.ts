// The page on which developers read what the service has sent. It is rendered here; all parts of messages are shown as text, and only the
// page's own script runs.
import { createHash } from 'node:crypto'
import type { MessageRow } from '../message-queries.ts'
import type { MessageContent } from '../messages/sealed-messages.ts'
import { inboxScript, inboxStyle } from './dev-inbox-style.ts'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)

const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export const inboxContentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${sourceOf(inboxStyle)}`,
  // The script sets the height of frames as a property, which this policy allows, unlike a style attribute.
  `script-src ${sourceOf(inboxScript)}`,
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Lets a mail look as it was written, but neither run nor send anything. */
export const mailContentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: https:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
].join('; ')

const page = (title: string, body: string, data = '') => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(title)}</title>
<style>${inboxStyle}</style>
</head>
<body${data}>
${body}
<script type="module">${inboxScript}</script>
</body>
</html>
`

export interface InboxMessage {
  readonly row: MessageRow
  readonly tenantName: string
  readonly content: MessageContent | undefined
}

/** Returns a value that changes with each new message, and with each change of one. */
export const inboxState = (rows: readonly MessageRow[]): string =>
  createHash('sha256')
    .update(rows.map(({ id, status, attempts }) => `${id} ${status} ${attempts}`).join('\n'))
    .digest('base64url')

export const detailPath = ({ tenant_id: tenantId, id }: Pick<MessageRow, 'tenant_id' | 'id'>) =>
  `/dev/inbox/${encodeURIComponent(tenantId)}/${encodeURIComponent(id)}`

const timeOf = (at: string) => `<time datetime="${escape(at)}">${escape(at.slice(0, 19).replace('T', ' '))} UTC</time>`

/** Returns the status, which is omitted for messages that were sent. */
function statusOf({ status, last_error: error }: MessageRow): string {
  if (status === 'sent') return ''
  return ` · <span class="${escape(status)}">${escape(status)}${error === null ? '' : `: ${escape(error)}`}</span>`
}

/** Makes links only of web addresses. */
function linkOf(link: string): string {
  const isWeb = URL.canParse(link) && ['http:', 'https:'].includes(new URL(link).protocol)
  return isWeb ? `<a href="${escape(link)}" rel="noreferrer">${escape(link)}</a>` : escape(link)
}

const copyable = (html: string, classes: string, text: string, what: string) =>
  `<div class="copy"><div class="line ${classes}">${html}</div><button type="button" data-copy="${escape(text)}" aria-label="Copy ${what}" hidden>Copy</button></div>`

/** Longer codes are not meant to be typed. */
const typedCodeLengthMax = 12

function prominent(content: MessageContent | undefined): string {
  const code = content?.code ?? ''
  const link = content?.link ?? ''
  const codeClasses = code.length <= typedCodeLengthMax ? 'code short' : 'code'
  return (
    (code === '' ? '' : copyable(escape(code), codeClasses, code, 'the code')) +
    (link === '' ? '' : copyable(linkOf(link), 'link', link, 'the link'))
  )
}

function listed(message: InboxMessage): string {
  const { row, content, tenantName } = message
  const title = content?.subject ?? content?.text.slice(0, 80) ?? row.subject ?? row.purpose
  return `<li>
<div class="row"><span class="to line">${escape(row.recipient)}</span>${timeOf(row.created_at)}</div>
<a class="subject line" dir="auto" href="${escape(detailPath(row))}">${escape(title === '' ? row.purpose : title)}</a>
<div class="quiet line">${escape(tenantName)} · ${escape(row.channel_type)}${statusOf(row)}</div>
${prominent(content)}
</li>`
}

const dataOf = (rows: readonly MessageRow[], changes: string) =>
  ` data-state="${inboxState(rows)}" data-changes="${escape(changes)}"`

export function inboxPage(messages: readonly InboxMessage[], to: string | undefined): string {
  const nothing =
    to === undefined
      ? 'Nothing has been sent yet. Codes, links and notices show up here as soon as they are.'
      : `Nothing has been sent to ${escape(to)}.`
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`
  const rows = messages.map(({ row }) => row)
  return page(
    'Message inbox',
    `<h1>Message inbox</h1>
<form method="get" action="/dev/inbox"><input type="search" name="to" value="${escape(to ?? '')}" aria-label="Address or number" placeholder="Address or number"><button>Show</button></form>
${messages.length === 0 ? `<p class="card quiet empty">${nothing}</p>` : `<ul>\n${messages.map(listed).join('\n')}\n</ul>`}
<footer class="quiet">The newest 100 of all tenants, refreshed by itself. Only this machine can see it, in the development deployment alone.</footer>`,
    dataOf(rows, `/dev/inbox/changes${query}`),
  )
}

export function inboxMessagePage({ row, tenantName, content }: InboxMessage): string {
  const facts = [
    ['To', escape(row.recipient)],
    ['Tenant', escape(tenantName)],
    ['Time', timeOf(row.created_at)],
    ['Type', escape(row.channel_type)],
    ['By', escape(row.provider ?? 'not chosen yet')],
    ['For', escape(row.purpose)],
    ['Status', `${escape(row.status)}${row.last_error === null ? '' : `: ${escape(row.last_error)}`}`],
  ] as const
  const isMail = content !== undefined && content.html !== null && content.html !== ''
  const mail = isMail
    ? `<h2>Mail</h2>\n<iframe src="${escape(detailPath(row))}/mail" sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox" title="The message"></iframe>`
    : ''
  const bodies =
    content === undefined
      ? '<p class="card quiet empty">It has not been sent yet, so there is nothing to read.</p>'
      : `${mail}\n<h2>Text</h2>\n<pre class="card" dir="auto">${escape(content.text)}</pre>`
  return page(
    content?.subject ?? 'Message',
    `<a href="/dev/inbox">← Message inbox</a>
<h1>${escape(content?.subject ?? row.subject ?? row.purpose)}</h1>
${prominent(content)}
<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>
${bodies}`,
    dataOf([row], `${detailPath(row)}/changes`),
  )
}
