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
  {
    address: 'reference/frontend/',
    title: 'Frontend interface',
    text: 'The operations for browsers and apps of end users',
  },
  { address: 'errors/', title: 'Errors', text: 'Every code, when it comes and what to do' },
  { address: 'events/', title: 'Events', text: 'Every event and what it says' },
  { address: 'settings/', title: 'Settings', text: 'Every setting of a tenant, with its default' },
  { address: 'configuration/', title: 'Configuration', text: 'Every variable of the service' },
]

/** @param addresses of the other pages: without the guides there is nothing to choose from but the reference. */
export function homePage(index: Document, addresses: ReadonlySet<string>): SitePage {
  const hasGuides = addresses.has('quickstart-express/')
  const present = starts.filter(({ address }) => addresses.has(address)).slice(0, hasGuides ? 4 : starts.length)
  const cards = present.map(
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
    ${
      hasGuides
        ? html`<div class="tasks">${asMarkup(list)}</div>`
        : html`<p>
            The guides are in the repository: <code>npm start</code> there serves them at <code>/docs</code>, too.
          </p>`
    }`
  const { fragments, parts, headings } = hasGuides ? index : { ...index, parts: [] }
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
