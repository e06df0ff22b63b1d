// Builds the packages into .packages/ and packs them: compiled by tsc, with declarations and source maps.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type PublishedPackage, publishedManifest, publishedPackages, repository } from './published.ts'

const compiler = join(repository, 'node_modules/typescript/bin/tsc')
/** `new URL('./worker.ts', import.meta.url)`, which tsc does not recognise as an import. */
const fileBeside = /new URL\('([\w./-]+)', import\.meta\.url\)/g
/** `from './lines.ts'` or `import("./lines.ts")`: tsc leaves them in declarations, where older versions of it cannot follow them. */
const importInDeclaration = /((?:from |import\()["']\.{1,2}\/[\w./-]+)\.tsx?(["'])/g
/** `from './en.json' with { type: 'json' }` or `import('./de.json', { with: { type: 'json' } })`. */
const importOfJson =
  /(from |import\()(["'])(\.{1,2}\/[\w./-]+\.json)\2(?:,? (?:\{ )?with:? \{ type: ["']json["'] \}(?: \})?)?/g
const anySourceFile = /["'`]\.{0,2}[\w./-]*\/?[\w-]+\.tsx?["'`]/

const folderOf = ({ name }: PublishedPackage, output: string) => join(output, basename(name))

function compilerOptions({ folder, isLibrary }: PublishedPackage, output: string) {
  const libraries = publishedPackages.filter((each) => each.isLibrary)
  return {
    noEmit: false,
    // The server imports its package.json, so that its folder is the root of what is compiled.
    rootDir: join(repository, folder),
    outDir: join(output, 'compiled', folder),
    rewriteRelativeImportExtensions: true,
    sourceMap: true,
    inlineSources: true,
    declaration: isLibrary,
    // `npm run types` has already checked it; but declarations are made only from checked types.
    noCheck: !isLibrary,
    // A package sees the other packages as its users do.
    paths: Object.fromEntries(
      libraries.flatMap((library) => [
        [library.name, [join(folderOf(library, output), 'dist/index.d.ts')]],
        [`${library.name}/*`, [join(folderOf(library, output), 'dist/*.d.ts')]],
      ]),
    ),
  }
}

/** Compiles a package's sources, without its tests, and returns the folder with the result. */
function compile(published: PublishedPackage, output: string): string {
  const { folder, keptSources = [], tsconfig } = published
  const options = compilerOptions(published, output)
  const project = join(output, `tsconfig.${folder}.json`)
  const sources = join(repository, folder, 'src/**/*')
  const config = {
    extends: tsconfig === undefined ? join(repository, 'tsconfig.json') : join(repository, folder, tsconfig),
    compilerOptions: options,
    include: [sources],
    exclude: ['**/*.test.ts', ...keptSources].map((name) => join(repository, folder, 'src', name)),
  }
  writeFileSync(project, JSON.stringify(config, null, 2))
  execFileSync(process.execPath, [compiler, '-p', project], {
    cwd: repository,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return join(options.outDir, 'src')
}

/** Points the imports that tsc has not rewritten at the compiled files, all of which must exist. */
function finish(dist: string, keptSources: readonly string[]) {
  for (const file of globSync(join(dist, '**/*.{js,mjs}'))) {
    const text = readFileSync(file, 'utf8')
    const changed = text.replaceAll(fileBeside, (_match, name: string) => {
      const compiled = name.replace(/\.ts$/, '.js')
      if (!existsSync(resolve(dirname(file), compiled))) throw new Error(`${file} names ${name}, which is not there`)
      return `new URL('${compiled}', import.meta.url)`
    })
    const left = anySourceFile.exec(changed.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, ''))
    if (left !== null && !keptSources.includes(left[0].slice(1, -1))) {
      throw new Error(`${file} names ${left[0]}, which is not in the package`)
    }
    if (changed !== text) writeFileSync(file, changed)
  }
  for (const file of globSync(join(dist, '**/*.d.ts'))) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(importInDeclaration, '$1.js$2'))
  }
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
    if (declared.has(file)) writeFileSync(`${file}.d.ts`, `declare const content: ${text}\nexport default content\n`)
    rmSync(file)
  }
}

/** Copies files that are neither sources nor tests: fonts, lists, pages. */
function copyAssets(source: string, dist: string) {
  for (const name of globSync('**/*', { cwd: source })) {
    const from = join(source, name)
    if (/\.(?:tsx?|mjs)$/.test(name) || !statSync(from).isFile()) continue
    const to = join(dist, name)
    mkdirSync(dirname(to), { recursive: true })
    cpSync(from, to)
  }
}

/** Copies what ensure-built.mjs has made, without the build's own notes. */
function copyBuilt({ from, to }: NonNullable<PublishedPackage['built']>, dist: string) {
  const source = join(repository, from)
  if (!existsSync(source)) throw new Error(`${from} is not built: run node scripts/ensure-built.mjs`)
  for (const name of ['index.html', 'assets']) cpSync(join(source, name), join(dist, to, name), { recursive: true })
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

interface Provenance {
  readonly version: string
  /** Where the sources are, such as `https://github.com/owner/name`. */
  readonly repository: string | undefined
}

function build(published: PublishedPackage, output: string, address: string | undefined) {
  const target = folderOf(published, output)
  mkdirSync(target)
  const dist = join(target, 'dist')
  renameSync(compile(published, output), dist)
  const source = join(repository, published.folder)
  copyAssets(join(source, 'src'), dist)
  for (const name of published.keptSources ?? []) {
    mkdirSync(dirname(join(dist, name)), { recursive: true })
    cpSync(join(source, 'src', name), join(dist, name))
  }
  finish(dist, published.keptSources ?? [])
  if (published.isLibrary) writeJsonAsModules(dist)
  if (published.built !== undefined) copyBuilt(published.built, dist)
  const manifest = publishedManifest(published, address)
  const documents = Object.values(manifest.exports ?? {}).flatMap((each) =>
    typeof each === 'string' && each !== './package.json' && !each.startsWith('./dist/')
      ? [each.slice('./'.length)]
      : [],
  )
  for (const document of documents) cpSync(join(source, document), join(target, document))
  const files = ['dist', ...documents]
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({ ...manifest, files }, null, 2)}\n`)
  const readme = readFileSync(join(repository, published.readme), 'utf8')
  const provenance = { version: manifest.version, repository: address }
  writeFileSync(join(target, 'README.md'), publishedReadme(readme, published.readme, provenance))
  for (const file of ['LICENSE', 'NOTICE']) cpSync(join(repository, file), join(target, file))
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
  rmSync(join(output, 'compiled'), { recursive: true })
  return publishedPackages.map((published) => {
    const folder = folderOf(published, output)
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
