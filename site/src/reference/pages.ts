// The pages of the reference: one for each interface, and one for each of its tags with all operations of it.
import { blockMarkdown, plainText } from '../documents/markdown.ts'
import { toFragment, linkBetween } from '../markup/addresses.ts'
import { type Markup, html } from '../markup/html.ts'
import type { SitePage } from '../site-page.ts'
import { type Shapes, drawFields, resolve } from './fields.ts'
import { findHomes } from './homes.ts'
import type { Interface, Operation } from './openapi.ts'
import { drawError, drawOperation } from './operation.ts'

type Tag = Interface['tags'][number]

/** The file that programs read: beside the page of the interface, where the service does not send it. */
export const openApiFile = (all: Interface) => `${all.address}openapi.json`

const operationList = (operations: readonly Operation[], address: string) =>
  html`<ul class="operations">
    ${operations.map(
      ({ id, method, summary, path }) =>
        html`<li>
          <a href="${address}#${id}"
            ><span class="method ${method.toLowerCase()}">${method}</span> <span>${summary}</span>
            <code>${path}</code></a
          >
        </li>`,
    )}
  </ul>`

function drawShapes(names: readonly string[], shapes: Shapes): Markup {
  if (names.length === 0) return html``
  const drawn = names.map(
    (name) =>
      html`<section class="shape" id="${name}">
        <h3>${name} <a class="self" href="#${name}" aria-label="Link to “${name}”">#</a></h3>
        ${drawFields(resolve({ $ref: `/${name}` }, shapes), shapes, 'optional')}
      </section>`,
  )
  return html`<section class="shapes">
    <h2 id="shapes">Shapes of the answers</h2>
    ${drawn}
  </section>`
}

function tagPage(all: Interface, tag: Tag, homes: ReadonlyMap<string, string>): SitePage {
  const { name, address, operations } = tag
  const addresses = new Map(all.tags.map((each) => [each.name, each.address]))
  const shapes: Shapes = {
    schemas: all.schemas,
    linkTo: (shape) => {
      const home = addresses.get(homes.get(shape) ?? '')
      if (home === undefined) return undefined
      return home === address ? `#${shape}` : linkBetween(address, `${home}#${shape}`)
    },
  }
  const names = [...homes].flatMap(([shape, home]) => (home === name ? [shape] : [])).toSorted()
  const body = html`<p class="over">${all.title}</p>
    <h1>${name}</h1>
    ${operationList(operations, '')}
    ${operations.map((operation) => drawOperation(operation, { all, shapes, address }))} ${drawShapes(names, shapes)}`
  return {
    address,
    title: name,
    description: `${all.title}: ${operations.map(({ summary }) => summary).join('. ')}.`.slice(0, 200),
    area: 'reference',
    body,
    headings: [],
    parts: operations.map(({ id, method, path, summary, description }) => ({
      title: summary,
      fragment: id,
      text: `${method} ${path} ${id} ${plainText(description)}`,
    })),
    fragments: new Set([...operations.map(({ id }) => id), ...names]),
    isWide: true,
  }
}

function overviewPage(all: Interface, other: Interface): SitePage {
  const { address, title, introduction, tags, version } = all
  const link = (text: string, to: string) => html`<a href="${linkBetween(address, to)}">${text}</a>`
  const groups = tags.map(
    ({ name, address: to, operations }) =>
      html`<h3 id="${toFragment(name)}">${link(name, to)}</h3>
        ${operationList(operations, linkBetween(address, to))}`,
  )
  const headings = Array.from(introduction.matchAll(/^## (.+)$/gm), ([, text = '']) => text)
  const prose = headings.reduce(
    (markup, text) => markup.replace(`<h2>${text}</h2>`, `<h2 id="${toFragment(text)}">${text}</h2>`),
    blockMarkdown(introduction).markup,
  )
  const body = html`<p class="over">API reference, version ${version}</p>
    <h1>${title}</h1>
    <p class="route">
      <span class="quiet">Base address</span> <code data-origin>http://127.0.0.1:4000${all.baseUrl}</code>
    </p>
    <p>
      Each topic has a page with all of its operations: their fields, errors, curl, TypeScript and an example of the
      answer. Programs read ${link('openapi.json', openApiFile(all))}. See also the
      ${link(other.title.toLowerCase(), other.address)}.
    </p>
    ${{ markup: prose }}
    <h2 id="errors-of-every-operation">Errors of every operation</h2>
    <p>
      Every operation can answer with one of these codes. ${link('All error codes', 'errors/')} are explained with what
      to do.
    </p>
    <ul class="errors">
      ${all.commonErrors.map((each) => drawError(each, address))}
    </ul>
    <h2 id="operations">All operations</h2>
    <div class="all-operations">${groups}</div>`
  return {
    address,
    title,
    description: plainText(introduction).slice(0, 200),
    area: 'reference',
    body,
    headings: [
      ...headings.map((text) => ({ depth: 2, text, fragment: toFragment(text) })),
      { depth: 2, text: 'Errors of every operation', fragment: 'errors-of-every-operation' },
      { depth: 2, text: 'All operations', fragment: 'operations' },
    ],
    parts: [{ title, fragment: '', text: plainText(introduction) }],
    fragments: new Set(['operations', 'errors-of-every-operation', ...headings.map(toFragment)]),
    isWide: false,
  }
}

export function referencePages(interfaces: readonly [Interface, Interface]): readonly SitePage[] {
  const [management, frontend] = interfaces
  return interfaces.flatMap((all) => {
    const homes = findHomes(all)
    return [
      overviewPage(all, all === management ? frontend : management),
      ...all.tags.map((tag) => tagPage(all, tag, homes)),
    ]
  })
}
