// Renders a Markdown document of the repository as the body of a page, and notes what it links to.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Marked, type RendererObject, type Token, type Tokens } from 'marked'
import { readWebp } from '../../../server/src/media/image-header/webp.ts'
import { toFragment, linkBetween } from '../markup/addresses.ts'
import { type Markup, asMarkup, escapeText } from '../markup/html.ts'
import { codeBlock } from './highlight.ts'
import { pageAddress, sourceKind, readSource, repository, resolveLink } from './sources.ts'

export interface Heading {
  readonly depth: number
  readonly text: string
  readonly fragment: string
}

/** A part of a page that the search finds: from one heading to the next. */
export interface SearchPart {
  readonly title: string
  /** Empty for what stands before the first heading. */
  readonly fragment: string
  readonly text: string
}

/** A link to another file of the repository, or to a part of one. */
export interface InnerLink {
  readonly target: string
  readonly fragment: string
}

export interface Document {
  readonly source: string
  readonly title: string
  /** The first paragraph as plain text. */
  readonly description: string
  readonly body: Markup
  readonly headings: readonly Heading[]
  readonly parts: readonly SearchPart[]
  readonly fragments: ReadonlySet<string>
  readonly links: readonly InnerLink[]
  /** Paths of the pictures that it shows. */
  readonly pictures: readonly string[]
  /** What is wrong with it, such as a link to a file that does not exist. */
  readonly problems: readonly string[]
}

const searchDepthMax = 3

/** Returns Markdown as text without its marks. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^[ \t]*(?:```\w*|[-|: ]+|#+ |> |[*-] |\d+\. )/gm, '')
    .replaceAll(/[`*|\\]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Returns the first heading of a document; that of the repository's README is only a name. */
export function readTitle(source: string, text = readSource(source)): string {
  if (source === 'README.md') return 'Five minutes with Bailiwick'
  const title = /^# (.+)$/m.exec(text)?.[1]
  if (title === undefined) throw new Error(`${source} has no heading of the first level`)
  return plainText(title)
}

/** Notes what a document contains while it is rendered. */
function createNotes(source: string, address: string) {
  const fragments = new Set<string>()
  return {
    source,
    address,
    fragments,
    headings: [] as Heading[],
    links: [] as InnerLink[],
    pictures: [] as string[],
    problems: [] as string[],
    /** Returns a fragment that no other part of the page has: GitHub numbers them, too. */
    claim(wanted: string): string {
      let fragment = wanted
      for (let count = 1; fragments.has(fragment); count++) fragment = `${wanted}-${count}`
      fragments.add(fragment)
      return fragment
    },
  }
}

type Notes = ReturnType<typeof createNotes>

/** Names of files in links are replaced by titles, because the site has pages and not files. */
function chooseLabel(label: string, target: string): string {
  const isName = [target, basename(target), target.replace(/^docs\//, '')].includes(label.replaceAll(/<\/?code>/g, ''))
  if (!isName || sourceKind(target) !== 'document') return label
  return escapeText(readTitle(target))
}

function link(label: string, href: string, notes: Notes): string {
  const target = resolveLink(notes.source, href)
  if (target === undefined) return `<a href="${escapeText(href)}" rel="noopener">${label}</a>`
  const kind = sourceKind(target)
  if (kind === 'missing') notes.problems.push(`${notes.source} links to ${target}, which does not exist`)
  if (kind === 'missing' || kind === 'unpublished') return label
  const fragment = href.split('#')[1] ?? ''
  notes.links.push({ target, fragment })
  const to = `${pageAddress(target)}${fragment === '' ? '' : `#${fragment}`}`
  const isHere = target === notes.source && fragment !== ''
  const address = isHere ? `#${fragment}` : linkBetween(notes.address, to)
  return `<a href="${escapeText(address)}">${chooseLabel(label, target)}</a>`
}

export const pictureName = (path: string): string => basename(path)

function picture(href: string, text: string, notes: Notes): string {
  const target = resolveLink(notes.source, href)
  if (target === undefined || sourceKind(target) !== 'picture') {
    notes.problems.push(`${notes.source} shows ${href}, which is no picture of this repository`)
    return ''
  }
  notes.pictures.push(target)
  const { width, height } = readWebp(readFileSync(join(repository, target))) ?? {}
  const size = typeof width !== 'number' || typeof height !== 'number' ? '' : ` width="${width}" height="${height}"`
  const address = linkBetween(notes.address, `pictures/${pictureName(target)}`)
  return `<img src="${address}" alt="${escapeText(text)}"${size} loading="lazy">`
}

function rendererFor(notes: Notes): RendererObject {
  return {
    heading({ tokens, depth, text }) {
      const label = this.parser.parseInline(tokens)
      if (depth === 1) return `<h1>${label}</h1>\n`
      const fragment = notes.claim(toFragment(plainText(text)))
      notes.headings.push({ depth, text: plainText(text), fragment })
      const self = `<a class="self" href="#${fragment}" aria-label="Link to “${escapeText(plainText(text))}”">#</a>`
      return `<h${depth} id="${fragment}">${label} ${self}</h${depth}>\n`
    },
    link({ href, tokens }) {
      return link(this.parser.parseInline(tokens), href, notes)
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    image: ({ href, text }) => picture(href, text, notes),
    code: ({ text, lang }) => codeBlock(text, lang).markup,
    table({ header, rows }) {
      const cell = (name: 'td' | 'th', { tokens }: Tokens.TableCell) =>
        `<${name}>${this.parser.parseInline(tokens)}</${name}>`
      const head = header.map((each) => cell(each.text === '' ? 'td' : 'th', each)).join('')
      const body = rows
        .map((row) => `<tr${rowId(row, notes)}>${row.map((each) => cell('td', each)).join('')}</tr>`)
        .join('\n')
      const label = escapeText(plainText(header.flatMap(({ text }) => (text === '' ? [] : [text])).join(', ')))
      return `<div class="table" role="group" tabindex="0" aria-label="Table: ${label}"><table><thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table></div>\n`
    },
    html({ text }) {
      if (/^<br\s*\/?>$/.test(text)) return '<br>'
      if (plainText(text) !== '') notes.problems.push(`${notes.source} contains HTML: ${text.slice(0, 60)}`)
      return ''
    },
  }
}

/** A row that begins with a name in code, such as an error or a setting, can be linked to by that name. */
function rowId([first]: readonly Tokens.TableCell[], notes: Notes): string {
  const name = /^`([\w.*-]+)`/.exec(first?.text ?? '')?.[1]
  return name === undefined || notes.fragments.has(name) ? '' : ` id="${notes.claim(name)}"`
}

function splitIntoParts(tokens: readonly Token[], title: string): SearchPart[] {
  const parts: { title: string; fragment: string; text: string }[] = [{ title, fragment: '', text: '' }]
  const counts = new Map<string, number>()
  for (const token of tokens) {
    const heading = token.type === 'heading' ? (token as Tokens.Heading) : undefined
    if (heading?.depth === 1) continue
    if (heading !== undefined) {
      const wanted = toFragment(plainText(heading.text))
      const count = counts.get(wanted) ?? 0
      counts.set(wanted, count + 1)
      if (heading.depth > searchDepthMax) continue
      const fragment = count === 0 ? wanted : `${wanted}-${count}`
      parts.push({ title: plainText(heading.text), fragment, text: '' })
      continue
    }
    const part = parts.at(-1)
    if (part !== undefined) part.text += ` ${plainText(token.raw)}`
  }
  return parts.filter(({ text, fragment }) => fragment === '' || text !== '')
}

/**
 * @param text the content of the source; a table's rows, headings and links of it are noted as they are rendered.
 * @param address of the page, if the source has several.
 */
export function renderDocument(source: string, text = readSource(source), address = pageAddress(source)): Document {
  const notes = createNotes(source, address)
  const marked = new Marked({ renderer: rendererFor(notes) })
  const tokens = marked.lexer(text)
  const title = readTitle(source, text)
  const lead = tokens.find(({ type }) => type === 'paragraph')
  const body = asMarkup(marked.parser(tokens))
  const { headings, links, pictures, problems, fragments } = notes
  return {
    source,
    title,
    description: plainText(lead?.raw ?? title).slice(0, 200),
    body,
    headings,
    parts: splitIntoParts(tokens, title),
    fragments,
    links,
    pictures,
    problems,
  }
}

/** Renders a few words of Markdown, such as the description of an operation: no block around them. */
export const inlineMarkdown = (text: string): Markup => asMarkup(inline.parseInline(text) as string)
/** Renders paragraphs, headings and lists that contain no links to files. */
export const blockMarkdown = (text: string): Markup => asMarkup(inline.parse(text) as string)

const inline = new Marked({ renderer: { code: ({ text, lang }) => codeBlock(text, lang).markup } })
