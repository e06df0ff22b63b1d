// Which documents the site has, and in which order: docs/README.md lists them. Everything else that a document links to within the
// repository becomes a page of its own, too: other documents, files such as deploy/compose.yaml, and folders of such files.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Token, type Tokens, marked } from 'marked'

export const repository = join(import.meta.dirname, '../../..')
export const readSource = (path: string): string => readFileSync(join(repository, path), 'utf8')

/** The list of all guides, which is the first page. */
export const indexSource = 'docs/README.md'
const decisionsFolder = 'docs/decisions'
/** The folders whose files the site shows; a link to any other folder is only a name. */
const publishedFolders = [decisionsFolder, 'deploy', 'examples']
const openApiSources: Readonly<Record<string, string>> = {
  'contract/openapi.json': 'reference/',
  'contract/openapi-frontend.json': 'reference/frontend/',
}

export type SourceKind = 'document' | 'file' | 'folder' | 'picture' | 'reference' | 'unpublished' | 'missing'

/** Documents that belong to the reference, the only ones of the site that is part of the package `bailiwick`. */
const referenceDocuments = [
  indexSource,
  'docs/errors.md',
  'docs/events.md',
  'docs/settings.md',
  'docs/configuration.md',
]
let isReferenceOnly = false

/** Leaves out everything but the reference: links to what is left out are only names. */
export function leaveOutGuides() {
  isReferenceOnly = true
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** @param path of a file or folder, relative to the repository. */
export function sourceKind(path: string): SourceKind {
  if (Object.hasOwn(openApiSources, path)) return 'reference'
  const absolute = join(repository, path)
  if (!existsSync(absolute)) return 'missing'
  if (isReferenceOnly && !referenceDocuments.includes(path)) return 'unpublished'
  if (statSync(absolute).isDirectory())
    return publishedFolders.some((folder) => isWithin(path, folder)) ? 'folder' : 'unpublished'
  if (/(?:^|\/)README\.md$/.test(path) && publishedFolders.some((folder) => isWithin(path, folder))) return 'folder'
  if (path.endsWith('.md')) return 'document'
  return /\.(?:webp|svg)$/.test(path) ? 'picture' : 'file'
}

/** Returns the address of the page that shows a file or folder of the repository. */
export function pageAddress(path: string): string {
  const known = openApiSources[path] ?? (path === indexSource ? '' : path === 'README.md' ? 'overview/' : undefined)
  if (known !== undefined) return known
  const isPage = ['document', 'folder'].includes(sourceKind(path))
  const short = path.replace(/^docs\//, '').replace(/(?:\/README)?\.md$/, '')
  return isPage ? `${short.toLowerCase()}/` : `files/${path}/`
}

/** Returns the files of a folder, without hidden ones and what npm has installed. */
export const filesIn = (folder: string): readonly string[] =>
  globSync('**/*', { cwd: join(repository, folder), exclude: ['**/node_modules/**'], withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && entry.name !== 'README.md')
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(repository.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted()

/** All documents that must be in the list of docs/README.md, by themselves or with their folder. */
export const guideSources = (): readonly string[] =>
  globSync('docs/*.md', { cwd: repository })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path !== indexSource)
    .toSorted()

/** A part of the list in docs/README.md. */
export interface Section {
  readonly title: string
  /** Paths in the repository, in the order of the list, without those that an earlier section has. */
  readonly sources: readonly string[]
}

function linksIn(tokens: readonly Token[]): readonly string[] {
  const links: string[] = []
  void marked.walkTokens([...tokens], (token) => {
    if (token.type === 'link') links.push((token as Tokens.Link).href)
  })
  return links
}

/** Returns the path in the repository to which a link of a document leads; undefined for one that leaves the repository. */
export function resolveLink(source: string, link: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return undefined
  const [path = ''] = link.split('#')
  if (path === '') return source
  return join(source, '..', decodeURI(path)).replaceAll('\\', '/').replace(/\/$/, '')
}

/** Reads the sections of docs/README.md: a paragraph in bold, followed by a list. */
export function readSections(text = readSource(indexSource)): readonly Section[] {
  const sections: { title: string; sources: string[] }[] = []
  const known = new Set([indexSource])
  for (const token of marked.lexer(text)) {
    const title = token.type === 'paragraph' ? /^\*\*(.+)\*\*$/.exec(token.raw.trim())?.[1] : undefined
    if (title !== undefined) sections.push({ title: title[0]?.toUpperCase() + title.slice(1), sources: [] })
    if (token.type !== 'list') continue
    for (const link of linksIn([token])) {
      const target = resolveLink(indexSource, link)
      if (target === undefined || known.has(target)) continue
      known.add(target)
      sections.at(-1)?.sources.push(target)
    }
  }
  return sections
}
