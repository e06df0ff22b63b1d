// Builds the packages into .packages/ and packs them.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { checkImports, compileLibrary, compileProgram } from './compile.ts'
import {
  type CompiledWorkspace,
  type PublishedPackage,
  publishedManifest,
  publishedPackages,
  readManifest,
  repository,
} from './published.ts'

/** `from './en.json' with { type: 'json' }` or `import('./de.json', { with: { type: 'json' } })`. */
const importOfJson =
  /(from |import\()(["'])(\.{1,2}\/[\w./-]+\.json)\2(?:,? (?:\{ )?with:? \{ type: ["']json["'] \}(?: \})?)?/g

const ownImport = /(["'])(@bailiwick\/[\w./-]+)\1/g

const packageFolder = ({ name }: PublishedPackage, output: string) => join(output, basename(name))

/** Returns where the compiler finds the declarations of the libraries that are already built. */
function libraryPaths(output: string): Record<string, string[]> {
  const libraries = publishedPackages.filter((each) => each.isLibrary)
  return Object.fromEntries(
    libraries.flatMap((library) => [
      [library.name, [join(packageFolder(library, output), 'dist/index.d.ts')]],
      [`${library.name}/*`, [join(packageFolder(library, output), 'dist/*.d.ts')]],
    ]),
  )
}

/** Leaves out the keys of translations, which are a quarter of them: pages/src/texts/languages.ts knows those of the English file. */
function removeKeys(texts: string) {
  const keys = Object.keys(JSON.parse(readFileSync(join(texts, 'en.json'), 'utf8')) as object)
  for (const file of globSync(join(texts, '*.json'))) {
    if (basename(file) === 'en.json') continue
    const translation = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>
    writeFileSync(file, JSON.stringify(keys.map((key) => translation[key] ?? 0)))
  }
}

/** Compiles the workspaces that are part of a package, and has its modules import them by the names of `imports` in package.json. */
function addParts(parts: readonly CompiledWorkspace[], target: string) {
  for (const part of parts) {
    compileProgram(part, join(target, part.folder))
    if (part.folder === 'pages') removeKeys(join(target, 'pages/texts'))
  }
  const names = new Map(parts.map(({ folder }) => [readManifest(folder).name, `#${folder}`]))
  for (const file of globSync(join(target, '**/*.js'))) {
    const text = readFileSync(file, 'utf8')
    const changed = text.replaceAll(ownImport, (_match, quote: string, name: string) => {
      const within = names.get(name)
      if (within === undefined) throw new Error(`${file} imports ${name}, which is not part of the package`)
      return `${quote}${within}${quote}`
    })
    if (changed !== text) writeFileSync(file, changed)
  }
}

/** Returns the type of a JSON value as TypeScript infers it where a program imports the file. */
function typeText(value: unknown): string {
  if (Array.isArray(value)) return `(${[...new Set(value.map(typeText))].join(' | ') || 'never'})[]`
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  const entries = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${typeText(each)}`)
  return `{ ${entries.join('; ')} }`
}

/**
 * Makes modules of the JSON files that a library imports, because not every bundler knows import attributes, and TypeScript reads JSON only
 * where a project's options say so.
 */
function writeJsonAsModules(dist: string) {
  const imported = new Set<string>()
  const declared = new Set<string>()
  for (const file of globSync(join(dist, '**/*.{js,d.ts}'))) {
    const text = readFileSync(file, 'utf8')
    const changed = text.replaceAll(importOfJson, (_match, start: string, quote: string, name: string) => {
      const content = resolve(dirname(file), name)
      imported.add(content)
      if (file.endsWith('.d.ts')) declared.add(content)
      return `${start}${quote}${name}.js${quote}`
    })
    if (changed !== text) writeFileSync(file, changed)
  }
  for (const file of imported) {
    const text = readFileSync(file, 'utf8').trim()
    writeFileSync(`${file}.js`, `export default ${text}\n`)
    const type = typeText(JSON.parse(text))
    if (declared.has(file)) writeFileSync(`${file}.d.ts`, `declare const content: ${type}\nexport default content\n`)
    rmSync(file)
  }
}

/** Copies what ensure-built.mjs has made, without the build's own notes. */
function copyBuilt({ from, to }: NonNullable<PublishedPackage['built']>[number], dist: string) {
  const source = join(repository, from)
  if (!existsSync(source)) throw new Error(`${from} is not built: run node scripts/ensure-built.mjs`)
  const isNote = (path: string) => ['inputs.sha256', '.vite'].includes(basename(path))
  cpSync(source, join(dist, to), { recursive: true, filter: (path) => !isNote(path) })
  // Takes five seconds for 7 %, which is worth it once.
  for (const file of globSync(join(dist, to, '**/*.br'))) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(file, brotliCompressSync(brotliDecompressSync(readFileSync(file)), { params }))
  }
}

/** Builds the part of the documentation that explains operations, errors, events and settings. */
function buildReference(dist: string) {
  const script = join(repository, 'site/src/build.ts')
  const options = ['--served', '--reference', '--quality=10', '--out', join(dist, 'docs')]
  execFileSync(process.execPath, [script, ...options], { stdio: ['ignore', 'ignore', 'pipe'] })
}

const relativeLink = /(!?)\[([^\]]*)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g

/**
 * Returns the README of a package. What it links to in the repository is not in the package: such a link leads to the repository if its
 * address is known, and otherwise becomes the document's name.
 */
export function publishedReadme(text: string, readme: string, { repository: address, version }: Provenance): string {
  return text.replaceAll(relativeLink, (_link, image: string, label: string, target: string, anchor = '') => {
    const path = join(dirname(readme), target)
    if (address !== undefined)
      return `${image}[${label}](${address}/${image ? 'raw' : 'blob'}/v${version}/${path}${anchor})`
    if (image !== '') return ''
    return label.includes(basename(target)) || label === path ? label : `${label} (\`${path}\`)`
  })
}

const importInTypes = /(?:\bfrom |\bimport\(|\bimport )["'](\.{1,2}\/[\w./-]+)["']/g

/** Removes the declarations that no entry leads to: nobody can import what they describe. */
function removeInnerTypes(target: string, entries: readonly unknown[]) {
  const reached = new Set<string>()
  const visit = (file: string) => {
    if (reached.has(file) || !existsSync(file)) return
    reached.add(file)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(importInTypes)) {
      visit(resolve(dirname(file), name.replace(/\.js$/, '.d.ts')))
    }
  }
  for (const entry of entries) {
    const { types } = entry as { readonly types?: string }
    if (types !== undefined) visit(join(target, types))
  }
  for (const file of globSync(join(target, 'dist/**/*.d.ts'))) if (!reached.has(file)) rmSync(file)
}

/** Indents declarations by one blank a level instead of four, which is two percent of a package of them. */
function indentLess(dist: string) {
  for (const file of globSync(join(dist, '**/*.d.ts'))) {
    const text = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      text.replaceAll(/^(?: {4})+/gm, (blanks) => ' '.repeat(blanks.length / 4)),
    )
  }
}

interface Provenance {
  readonly version: string
  /** Where the sources are, such as `https://github.com/owner/name`. */
  readonly repository: string | undefined
}

/** Returns a JSON document for programs, which is a sixth smaller. */
const withoutBlanks = (file: string) => `${JSON.stringify(JSON.parse(readFileSync(file, 'utf8')))}\n`

function build(published: PublishedPackage, output: string, address: string | undefined) {
  const target = packageFolder(published, output)
  mkdirSync(target)
  const dist = join(target, 'dist')
  const source = join(repository, published.folder)
  if (published.isLibrary) {
    compileLibrary(published, dist, { output, paths: libraryPaths(output) })
    writeJsonAsModules(dist)
    indentLess(dist)
  } else compileProgram(published, dist)
  if (published.contains !== undefined) addParts(published.contains, target)
  for (const built of published.built ?? []) copyBuilt(built, dist)
  if (published.hasReference === true) buildReference(dist)
  const manifest = publishedManifest(published, address)
  const documents = Object.values(manifest.exports ?? {}).flatMap((each) =>
    typeof each === 'string' && each !== './package.json' && !each.startsWith('./dist/')
      ? [each.slice('./'.length)]
      : [],
  )
  for (const document of documents) writeFileSync(join(target, document), withoutBlanks(join(source, document)))
  const files = ['dist', ...(published.contains ?? []).map(({ folder }) => folder), ...documents]
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({ ...manifest, files }, null, 2)}\n`)
  const readme = readFileSync(join(repository, published.readme), 'utf8')
  const provenance = { version: manifest.version, repository: address }
  writeFileSync(join(target, 'README.md'), publishedReadme(readme, published.readme, provenance))
  for (const file of ['LICENSE', 'NOTICE']) cpSync(join(repository, file), join(target, file))
  if (published.isLibrary) removeInnerTypes(target, Object.values(manifest.exports ?? {}))
  checkImports(target)
}

export interface PackedPackage {
  readonly name: string
  readonly version: string
  readonly folder: string
  readonly tarball: string
}

/**
 * Builds and packs every package again in a folder of its own.
 * @param address where the sources are; the packages say so if it is given.
 * @returns where the tarballs are, in the order in which they depend on each other.
 */
export function packAll(output: string, address?: string): PackedPackage[] {
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  for (const published of publishedPackages) build(published, output, address)
  return publishedPackages.map((published) => {
    const folder = packageFolder(published, output)
    const result = execFileSync('npm', ['pack', '--json', '--pack-destination', output], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    })
    const [{ filename, name, version }] = JSON.parse(result) as [{ filename: string; name: string; version: string }]
    return { name, version, folder, tarball: join(output, filename) }
  })
}
