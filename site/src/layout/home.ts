// The first page: docs/README.md as the way in, with the three quick starts above it.
import type { Document } from '../documents/markdown.ts'
import { linkBetween } from '../markup/addresses.ts'
import { asMarkup, html } from '../markup/html.ts'
import type { SitePage } from '../site-page.ts'

const starts = [
  { address: 'quickstart-express/', title: 'Express', text: 'A server with sign-in and permissions' },
  { address: 'quickstart-react/', title: 'React', text: 'Components and hooks in a page of your own' },
  { address: 'quickstart-next/', title: 'Next.js', text: 'Pages that are rendered with their user' },
  { address: 'reference/', title: 'API reference', text: 'Every operation with curl, TypeScript and its answer' },
]

export function homePage(index: Document): SitePage {
  const cards = starts.map(
    ({ address, title, text }) =>
      html`<li>
        <h2><a href="${linkBetween('', address)}">${title}</a></h2>
        <p>${text}</p>
      </li>`,
  )
  const list = index.body.markup
    .replace(/^[^]*?(?=<h2)/, '')
    .replaceAll(/<p><strong>([^<]+)<\/strong><\/p>/g, '<h3>$1</h3>')
  const body = html`<h1>Bailiwick documentation</h1>
    <p class="lead">
      Sign-in, users, organizations and permissions for your products: guides by task, and every operation of the
      interface.
    </p>
    <ul class="cards starts">
      ${cards}
    </ul>
    <div class="tasks">${asMarkup(list)}</div>`
  const { fragments, parts, headings } = index
  return {
    address: '',
    title: 'Bailiwick documentation',
    description: 'Guides and the API reference of the Bailiwick identity service.',
    area: 'home',
    body,
    headings,
    parts,
    fragments,
    isWide: false,
  }
}
