// The changelog, a page for each version: as one page it would be visible late on a slow phone.
import { linkBetween } from '../markup/addresses.ts'
import { html } from '../markup/html.ts'
import { type Document, renderDocument } from './markdown.ts'
import { pageAddress, readSource } from './sources.ts'

export const changelogSource = 'CHANGELOG.md'

export interface ChangelogPage {
  readonly address: string
  readonly document: Document
}

/** Renders the changelog: the newest section with a list of the others, and a page for each of these. */
export function renderChangelog(text = readSource(changelogSource)): readonly [ChangelogPage, ...ChangelogPage[]] {
  const [lead = '', newest = '', ...older] = text.split(/^(?=## )/m)
  const address = pageAddress(changelogSource)
  const pages = older.map((section) => {
    const [, title = ''] = /^## (.+)/.exec(section) ?? []
    const [version = ''] = title.split(' ')
    const own = `${address}${version}/`
    // A page begins with a heading of the first level.
    const page = section.replaceAll(/^#(#+ )/gm, '$1').replace('# ', '# Changes in ')
    return { title, address: own, document: renderDocument(changelogSource, page, own) }
  })
  const document = renderDocument(changelogSource, lead + newest)
  const links = pages.map((each) => html`<li><a href="${linkBetween(address, each.address)}">${each.title}</a></li>`)
  const body = html`${document.body}${
    links.length > 0 &&
    html`<h2>Earlier versions</h2>
      <ul>
        ${links}
      </ul>`
  }`
  return [{ address, document: { ...document, body } }, ...pages]
}
