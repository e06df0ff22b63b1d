// Makes JavaScript of the sources of a workspace, as they are published: without tests, and for a library with declarations.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { buildSync } from 'esbuild'
import { keepLines } from './line-maps.ts'
import { type CompiledWorkspace, repository } from './published.ts'

const compiler = join(repository, 'node_modules/typescript/bin/tsc')
/** `from './lines.ts'`, `import './lines.ts'` or `import('./lines.ts')`. */
const importOfSource = /(\b(?:from|import)\s*\(?\s*)(["'])(\.{1,2}\/[\w./-]+)\.tsx?\2/g
/** `new URL('./worker.ts', import.meta.url)`. */
const fileBeside = /new URL\('([\w./-]+)', import\.meta\.url\)/g
const anySourceFile = /["'`]\.{0,2}[\w./-]*\/?[\w-]+\.tsx?["'`]/
const commentLine = /^\s*(?:\/\/|\*|\/\*).*$/gm
/** Matches a comment that has its lines for itself. */
const wholeLineComment = /^[ \t]*(?:\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/[ \t]*)$/gm
const importOfFile = /\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[\w./-]+)["']/g

const isTest = (name: string) => name.endsWith('.test.ts')

/**
 * Writes the modules of a workspace, in which blanks replace the types. Their lines are those of the sources, so that stack traces need no
 * source maps, which would take more room than the modules.
 */
function writeModules(source: string, dist: string, kept: readonly string[]) {
  for (const name of globSync('**/*.{ts,mjs}', { cwd: source })) {
    if (isTest(name) || kept.includes(name)) continue
    const text = readFileSync(join(source, name), 'utf8')
    const code = name.endsWith('.ts') ? stripTypeScriptTypes(text, { mode: 'strip' }) : text
    const file = join(dist, name.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, code.replaceAll(/[ \t]+$/gm, '').replaceAll(importOfSource, '$1$2$3.js$2'))
    rmSync(`${file}.map`, { force: true })
  }
}

/** Returns the modules as they run, to compare them with others, in the order of the files. */
const minified = (dist: string, files: readonly string[]) =>
  buildSync({
    absWorkingDir: dist,
    entryPoints: [...files],
    outdir: 'minified',
    write: false,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'silent',
  }).outputFiles.map(({ text }) => text)

/** Changes the text of all modules, except of those that would run otherwise then: what looks like a comment within a text is none. */
function shorten(dist: string, change: (text: string) => string) {
  const files = globSync('**/*.{js,mjs}', { cwd: dist }).toSorted()
  const texts = files.map((file) => readFileSync(join(dist, file), 'utf8'))
  const before = minified(dist, files)
  for (const [index, file] of files.entries()) writeFileSync(join(dist, file), change(texts[index] ?? ''))
  for (const [index, after] of minified(dist, files).entries()) {
    if (after !== before[index]) writeFileSync(join(dist, files[index] ?? ''), texts[index] ?? '')
  }
}

/** Leaves empty lines where comments were: they are a fifth of a program that nobody edits, and declarations keep theirs. */
const removeComments = (text: string) =>
  text.replaceAll(wholeLineComment, (comment) => comment.replaceAll(/[^\n]/g, ''))

/** Leaves one blank of those that stand for a type, and none of those that begin a line. */
const joinBlanks = (text: string) => text.replaceAll(/(?<=\S)[ \t]{2,}/g, ' ')
const removeIndentation = (text: string) => text.replaceAll(/^[ \t]+/gm, '')

/** Copies files that are neither sources nor tests: fonts, lists, style sheets, texts. */
function copyAssets(source: string, dist: string, kept: readonly string[]) {
  for (const name of globSync('**/*', { cwd: source })) {
    const from = join(source, name)
    const isModule = /\.(?:tsx?|mjs)$/.test(name) && !kept.includes(name)
    if (isModule || !statSync(from).isFile()) continue
    const to = join(dist, name)
    mkdirSync(dirname(to), { recursive: true })
    cpSync(from, to)
  }
}

/** Points `new URL('./worker.ts', import.meta.url)` at the compiled file. */
function pointAtCompiledFiles(dist: string) {
  for (const file of globSync(join(dist, '**/*.{js,mjs}'))) {
    const text = readFileSync(file, 'utf8')
    const changed = text.replaceAll(fileBeside, (_match, name: string) => {
      const compiled = name.replace(/\.ts$/, '.js')
      if (!existsSync(resolve(dirname(file), compiled))) throw new Error(`${file} names ${name}, which is not there`)
      return `new URL('${compiled}', import.meta.url)`
    })
    if (changed !== text) writeFileSync(file, changed)
  }
}

/** @throws Error if a module names a source, or imports a file that is not there. */
function checkModules(dist: string, kept: readonly string[]) {
  for (const file of globSync(join(dist, '**/*.{js,mjs}'))) {
    const code = readFileSync(file, 'utf8').replaceAll(commentLine, '')
    const left = anySourceFile.exec(code)
    if (left !== null && !kept.includes(left[0].slice(1, -1))) {
      throw new Error(`${file} names ${left[0]}, which is not in the package`)
    }
  }
}

/** @throws Error if a module imports a file that is not in the package. To be called once the package is complete. */
export function checkImports(folder: string) {
  for (const file of globSync(join(folder, '**/*.{js,mjs}'))) {
    const code = readFileSync(file, 'utf8').replaceAll(commentLine, '')
    for (const [, name = ''] of code.matchAll(importOfFile)) {
      if (!existsSync(resolve(dirname(file), name))) throw new Error(`${file} imports ${name}, which is not there`)
    }
  }
}

/** Compiles a workspace that only runs, and that nobody imports by its types. */
export function compileProgram({ folder, keptSources = [] }: CompiledWorkspace, dist: string) {
  const source = join(repository, folder, 'src')
  writeModules(source, dist, keptSources)
  shorten(dist, removeComments)
  shorten(dist, joinBlanks)
  shorten(dist, removeIndentation)
  copyAssets(source, dist, keptSources)
  pointAtCompiledFiles(dist)
  checkModules(dist, keptSources)
}

export interface LibraryOptions {
  /** The folder for the compiler's configuration. */
  readonly output: string
  /** The declarations of the other libraries, by what they are imported as: a package sees the others as its users do. */
  readonly paths: Readonly<Record<string, readonly string[]>>
}

/** Compiles a workspace that others import: JavaScript and declarations. JSX is compiled by tsc, and has source maps; nothing else needs them. */
export function compileLibrary(workspace: CompiledWorkspace, dist: string, options: LibraryOptions) {
  const source = join(repository, workspace.folder, 'src')
  const hasJsx = globSync('**/*.tsx', { cwd: source }).length > 0
  runCompiler(workspace, dist, { ...options, hasJsx })
  for (const file of globSync(join(dist, '**/*.js.map'))) {
    const map = JSON.parse(readFileSync(file, 'utf8')) as { readonly mappings: string }
    writeFileSync(file, JSON.stringify({ ...map, names: [], mappings: keepLines(map.mappings) }))
  }
  writeModules(source, dist, [])
  shorten(dist, removeComments)
  copyAssets(source, dist, [])
  pointAtCompiledFiles(dist)
  checkModules(dist, [])
  // tsc leaves these names in declarations, where its older versions cannot follow them.
  for (const file of globSync(join(dist, '**/*.d.ts'))) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(importOfSource, '$1$2$3.js$2'))
  }
}

function runCompiler(
  { folder, tsconfig }: CompiledWorkspace,
  dist: string,
  { hasJsx, output, paths }: LibraryOptions & { readonly hasJsx: boolean },
) {
  const project = join(output, `tsconfig.${folder}.json`)
  const config = {
    extends: tsconfig === undefined ? join(repository, 'tsconfig.json') : join(repository, folder, tsconfig),
    compilerOptions: {
      noEmit: false,
      rootDir: join(repository, folder, 'src'),
      outDir: dist,
      declaration: true,
      ...(hasJsx
        ? { rewriteRelativeImportExtensions: true, sourceMap: true, inlineSources: true }
        : { emitDeclarationOnly: true }),
      paths,
    },
    include: [join(repository, folder, 'src/**/*')],
    exclude: [join(repository, folder, 'src/**/*.test.ts')],
  }
  writeFileSync(project, JSON.stringify(config, null, 2))
  execFileSync(process.execPath, [compiler, '-p', project], {
    cwd: repository,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
