// The page on which developers read what the service has sent. Rendered here, without scripts; whatever messages say is text.
import type { MessageRow } from './message-queries.ts'
import type { MessageContent } from './sealed-messages.ts'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem }
h1 { font-size: 1.4rem } a { color: LinkText }
form { display: flex; gap: .5rem; margin: 1rem 0 } input { flex: 1; padding: .4rem .6rem; font: inherit }
button { padding: .4rem .9rem; font: inherit }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid #8884; vertical-align: top }
td { overflow-wrap: anywhere } th { font-weight: 600 }
.code { font: 600 2rem/1.2 ui-monospace, monospace; letter-spacing: .15em; margin: .5rem 0 }
.link { overflow-wrap: anywhere; font-size: 1.1rem } .failed { color: #c0392b } .quiet { opacity: .7 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #8884; border-radius: .4rem; padding: 1rem }
iframe { width: 100%; height: 28rem; border: 1px solid #8884; border-radius: .4rem; background: #fff }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem } dt { opacity: .7 } dd { margin: 0 }
`

/** The style's own hash would do as well; there is nothing but text on the page, and no script may run. */
export const inboxContentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; frame-src 'self'"

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`

export interface InboxMessage {
  readonly row: MessageRow
  readonly tenantName: string
  readonly content: MessageContent | undefined
}

const detailPath = ({ row }: InboxMessage) =>
  `/dev/inbox/${encodeURIComponent(row.tenant_id)}/${encodeURIComponent(row.id)}`
const status = ({ status: text, last_error: error }: MessageRow) =>
  `<span class="${text}">${escape(text)}${error === null ? '' : `: ${escape(error)}`}</span>`

/** Only addresses of the web are made links. */
function linkOf(link: string): string {
  const isWeb = URL.canParse(link) && ['http:', 'https:'].includes(new URL(link).protocol)
  return isWeb ? `<a href="${escape(link)}" rel="noreferrer">${escape(link)}</a>` : escape(link)
}

function prominent(content: MessageContent | undefined): string {
  const code = content?.code ?? ''
  const link = content?.link ?? ''
  return (
    (code === '' ? '' : `<div class="code">${escape(code)}</div>`) +
    (link === '' ? '' : `<div class="link">${linkOf(link)}</div>`)
  )
}

function listed(message: InboxMessage): string {
  const { row, content, tenantName } = message
  const title = content?.subject ?? content?.text.slice(0, 80) ?? row.subject ?? row.purpose
  return `<tr><td>${escape(row.created_at.slice(0, 19).replace('T', ' '))}</td><td>${escape(row.recipient)}</td>
<td><a href="${escape(detailPath(message))}">${escape(title === '' ? row.purpose : title)}</a>${prominent(content)}</td>
<td>${escape(tenantName)}</td><td>${status(row)}</td></tr>`
}

export function inboxPage(messages: readonly InboxMessage[], to: string | undefined): string {
  const rows = messages.map(listed).join('\n')
  const table = `<table><thead><tr><th>Time (UTC)</th><th>To</th><th>Message</th><th>Tenant</th><th>Status</th></tr></thead>
<tbody>${rows}</tbody></table>`
  const nothing = `<p class="quiet">Nothing has been sent${to === undefined ? ' yet' : ` to ${escape(to)}`}.</p>`
  return page(
    'Message inbox',
    `<h1>Message inbox</h1>
<form method="get" action="/dev/inbox"><input type="search" name="to" value="${escape(to ?? '')}" aria-label="Address or number" placeholder="Address or number"><button>Show</button></form>
${messages.length === 0 ? nothing : table}
<p class="quiet">The newest 100 of all tenants. This page is there in the development deployment alone, on this machine.</p>`,
  )
}

export function inboxMessagePage({ row, tenantName, content }: InboxMessage): string {
  const facts = [
    ['To', row.recipient],
    ['Tenant', tenantName],
    ['Time (UTC)', row.created_at],
    ['Type', row.channel_type],
    ['By', row.provider ?? 'not chosen yet'],
    ['For', row.purpose],
  ] as const
  const html = content?.html ?? ''
  const bodies =
    content === undefined
      ? '<p class="quiet">It has not been sent, so there is nothing to read yet.</p>'
      : `${html === '' ? '' : `<h2>HTML</h2>\n<iframe sandbox="" title="The message" srcdoc="${escape(html)}"></iframe>`}
<h2>Text</h2>
<pre>${escape(content.text)}</pre>`
  return page(
    content?.subject ?? 'Message',
    `<p><a href="/dev/inbox">Message inbox</a></p>
<h1>${escape(content?.subject ?? row.subject ?? row.purpose)}</h1>
${prominent(content)}
<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${escape(value)}</dd>`).join('')}<dt>Status</dt><dd>${status(row)}</dd></dl>
${bodies}`,
  )
}
