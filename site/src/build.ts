// Builds the documentation site: `node site/src/build.ts --out <folder>` as static files, with `--served` as the archive that the service
// serves, with `--check` only to find broken links. `--reference` leaves out the guides. scripts/ensure-built.mjs runs it before a start if a source has changed.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build as bundle } from 'esbuild'
import { pictureName } from './documents/markdown.ts'
import { type DocumentPages, documentPages } from './documents/pages.ts'
import { leaveOutGuides, pageAddress, sourceKind, readSource, repository } from './documents/sources.ts'
import { type Assets, drawPage, themeScript } from './layout/frame.ts'
import { homePage } from './layout/home.ts'
import { guideGroups, referenceGroups } from './layout/navigation.ts'
import { type OutputFile, hashedName, writeArchive, writeFolder } from './output.ts'
import { readInterface } from './reference/openapi.ts'
import { openApiFile, referencePages } from './reference/pages.ts'
import { registryFiles } from './registry.ts'
import { searchEntries } from './search/search-parts.ts'
import type { SitePage } from './site-page.ts'

const openApiSources = { management: 'contract/openapi.json', frontend: 'contract/openapi-frontend.json' } as const

function readSite() {
  const documents = documentPages()
  const interfaces = [
    readInterface('management', openApiSources.management, 'reference/'),
    readInterface('frontend', openApiSources.frontend, 'reference/frontend/'),
  ] as const
  const others = [...documents.pages, ...referencePages(interfaces)]
  const pages = [homePage(documents.index, new Set(others.map(({ address }) => address))), ...others]
  return { documents, interfaces, pages, problems: [...documents.problems, ...linkProblems(documents, pages)] }
}

type Site = ReturnType<typeof readSite>

/** Returns the links to headings that do not exist, and the addresses that two pages have. */
function linkProblems({ links }: DocumentPages, pages: readonly SitePage[]): string[] {
  const byAddress = Map.groupBy(pages, ({ address }) => address)
  const doubles = [...byAddress].flatMap(([address, { length }]) =>
    length > 1 ? [`${length} pages have the address ${address}`] : [],
  )
  const broken = links.flatMap(({ source, target, fragment }) => {
    if (fragment === '' || sourceKind(target) !== 'document') return []
    const isThere = byAddress.get(pageAddress(target))?.[0]?.fragments.has(fragment) === true
    return isThere ? [] : [`${source} links to ${target}#${fragment}, and there is no such heading`]
  })
  return [...doubles, ...broken]
}

/** Bundles the style sheet and the script; the search is a file of its own, which is loaded when somebody searches. */
async function browserFiles(index: OutputFile): Promise<{ files: OutputFile[]; assets: Assets }> {
  const { outputFiles } = await bundle({
    absWorkingDir: join(repository, 'site'),
    entryPoints: { site: 'src/browser/main.ts', style: 'src/styles/site.css' },
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: ['chrome123', 'firefox128', 'safari17.5'],
    define: { searchFileName: JSON.stringify(index.name) },
    write: false,
  })
  const files = outputFiles.map(({ path, contents }) => ({
    name: `assets/${path.split(/[\\/]/).at(-1)}`,
    content: contents,
  }))
  const find = (start: string) => files.find(({ name }) => name.startsWith(`assets/${start}-`))?.name ?? ''
  const icon = readFileSync(join(repository, 'console/src/icon.svg'))
  const iconName = hashedName('assets/icon.svg', icon)
  const assets = { style: find('style'), script: find('site'), icon: iconName }
  return { files: [...files, { name: iconName, content: icon }], assets }
}

/** The policy of every page: scripts and styles of the site alone, and the one script in the page by its hash. */
function policy(): string {
  const hash = createHash('sha256').update(themeScript).digest('base64')
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

async function makeFiles({ documents, interfaces, pages }: Site, isServed: boolean): Promise<OutputFile[]> {
  const index = JSON.stringify(searchEntries(pages))
  const searchFile = { name: hashedName('assets/search.json', index), content: index }
  const { files, assets } = await browserFiles(searchFile)
  const titles = new Map(pages.map(({ address, title }) => [address, title]))
  const groups = { guides: guideGroups(titles), reference: referenceGroups(interfaces) }
  return [
    ...pages.map((page) => ({
      name: `${page.address}index.html`,
      content: drawPage({ page, groups, assets, isServed }),
    })),
    ...files,
    searchFile,
    ...registryFiles(),
    // The service sends its own descriptions.
    ...interfaces
      .filter(() => !isServed)
      .map((each) => ({ name: openApiFile(each), content: readSource(openApiSources[each.key]) })),
    ...[...documents.pictures].map((path) => ({
      name: `pictures/${pictureName(path)}`,
      content: readFileSync(join(repository, path)),
    })),
  ]
}

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    served: { type: 'boolean' },
    check: { type: 'boolean' },
    quality: { type: 'string', default: '9' },
    reference: { type: 'boolean' },
  },
})
if (values.reference === true) leaveOutGuides()
const site = readSite()
for (const problem of site.problems) console.error(problem)
if (site.problems.length > 0) process.exit(1)
if (values.check !== true) {
  const isServed = values.served === true
  const folder = values.out ?? join(repository, 'site/.built-static')
  const files = await makeFiles(site, isServed)
  if (isServed) writeArchive(folder, files, policy(), Number(values.quality))
  else writeFolder(folder, files)
  if (!isServed) console.error(`${site.pages.length} pages in ${folder}`)
}
