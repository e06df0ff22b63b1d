// The pages of documents, and of the files and folders that documents link to.
import { basename, dirname, extname } from 'node:path'
import { linkBetween } from '../markup/addresses.ts'
import { type Markup, html } from '../markup/html.ts'
import type { SitePage } from '../site-page.ts'
import { changelogSource, renderChangelog } from './changelog.ts'
import { codeBlock } from './highlight.ts'
import { type Document, type InnerLink, renderDocument, readTitle } from './markdown.ts'
import { pageAddress, filesIn, guideSources, indexSource, sourceKind, readSections, readSource } from './sources.ts'

const none: Pick<SitePage, 'headings' | 'parts' | 'fragments' | 'isWide'> = {
  headings: [],
  parts: [],
  fragments: new Set(),
  isWide: false,
}

function documentPage({ title, description, body, headings, parts, fragments }: Document, address: string): SitePage {
  return {
    address,
    title,
    description,
    area: 'guides',
    body,
    headings,
    parts,
    fragments,
    isWide: false,
  }
}

function filePage(source: string): SitePage {
  const code = codeBlock(readSource(source), extname(source).slice(1) || basename(source).toLowerCase())
  const body = html`<p class="over">${dirname(source)}</p>
    <h1>${basename(source)}</h1>
    ${code}`
  const description = `${source} of the repository.`
  return { ...none, address: pageAddress(source), title: basename(source), description, area: 'guides', body }
}

/** Decisions are listed by their titles, other files by their names. */
function folderPage(folder: string, readme: Document | undefined): { page: SitePage; files: readonly string[] } {
  const files = filesIn(folder)
  const address = pageAddress(folder)
  const rows = files.map((file) => {
    const isDocument = sourceKind(file) === 'document'
    const label: Markup = isDocument ? html`${readTitle(file)}` : html`<code>${file.slice(folder.length + 1)}</code>`
    return html`<li><a href="${linkBetween(address, pageAddress(file))}">${label}</a></li>`
  })
  const title = readme?.title ?? (folder === 'docs/decisions' ? 'Decisions' : folder)
  const body = html`${readme?.body ?? html`<h1>${title}</h1>`}${readme !== undefined && html`<h2>Files</h2>`}
    <ul class="files">
      ${rows}
    </ul>`
  const description = readme?.description ?? `${title}: what the folder ${folder} of the repository contains.`
  const page: SitePage = { ...none, address, title, description, area: 'guides', body, parts: readme?.parts ?? [] }
  return { page, files }
}

export interface DocumentPages {
  readonly index: Document
  readonly pages: readonly SitePage[]
  readonly pictures: ReadonlySet<string>
  /** The links of all documents, each with the document that has it. */
  readonly links: readonly (InnerLink & { readonly source: string })[]
  readonly problems: readonly string[]
}

/** Renders all documents: those of docs/, and whatever is linked to from there. */
export function documentPages(): DocumentPages {
  const index = renderDocument(indexSource)
  const listed = new Set(index.links.map(({ target }) => target))
  const problems = guideSources()
    .filter((source) => sourceKind(source) === 'document' && !listed.has(source))
    .map((source) => `docs/README.md does not name ${source}`)
  const documents = [index]
  const pages: SitePage[] = []
  const waiting = [...index.links.map(({ target }) => target), ...guideSources()]
  const seen = new Set([indexSource])
  for (let source = waiting.shift(); source !== undefined; source = waiting.shift()) {
    const kind = sourceKind(source)
    // A folder's README is shown with the folder's files.
    const name = kind === 'folder' ? source.replace(/\/README\.md$/, '') : source
    if (seen.has(name)) continue
    seen.add(name)
    if (kind === 'file') pages.push(filePage(name))
    if (kind === 'document') {
      const rendered =
        name === changelogSource ? renderChangelog() : [{ address: pageAddress(name), document: renderDocument(name) }]
      for (const { address, document } of rendered) {
        documents.push(document)
        pages.push(documentPage(document, address))
        waiting.push(...document.links.map(({ target }) => target))
      }
    }
    if (kind === 'folder') {
      const readme = sourceKind(`${name}/README.md`) === 'missing' ? undefined : renderDocument(`${name}/README.md`)
      if (readme !== undefined) documents.push(readme)
      const { page, files } = folderPage(name, readme)
      pages.push(page)
      waiting.push(...files, ...(readme?.links ?? []).map(({ target }) => target))
    }
  }
  return {
    index,
    pages,
    pictures: new Set(documents.flatMap(({ pictures }) => pictures)),
    links: documents.flatMap(({ source, links }) => links.map((each) => ({ ...each, source }))),
    problems: [...problems, ...documents.flatMap((document) => document.problems)],
  }
}

/** Returns the guides in the order of the list, by section; folders and files that a section names are left to the pages that link to them. */
export const guideSections = () =>
  readSections().map(({ title, sources }) => ({
    title,
    sources: sources.filter((source) => ['document', 'folder'].includes(sourceKind(source))),
  }))
