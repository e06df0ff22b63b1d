// Makes the files that ensure-bundled.mjs writes: modules for the commands, and for a start one script with what every start loads, whose
// compiled code is kept (server/src/platform/startup/start-script.ts), beside modules with what is loaded later. Plain JavaScript, like its
// caller.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, sep } from 'node:path'
import { build, transform } from 'esbuild'

const service = 'server/src/service'
const platform = 'server/src/platform'
const commandLine = `${service}/cli.mjs`
/** It imports, directly or not, everything that a start loads. */
const start = `${service}/commands/start.ts`
/** Loaded before anything else, to set flags of V8. */
const first = `${platform}/startup/idle-memory.ts`

/** Packages of this repository become part of the bundle; all others stay where npm has installed them. */
const ownPackages = {
  name: 'own packages',
  setup({ onResolve }) {
    onResolve({ filter: /^@bailiwick\// }, ({ path, importer }) => ({ path: createRequire(importer).resolve(path) }))
  },
}

/**
 * A module of the bundle finds the files beside its source (workers, fonts, styles) by the path of its source, relative to the bundle.
 * @param imports returns code to add to the beginning of a source.
 */
const placesOfSources = (output, imports = () => '') => ({
  name: 'places of sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const place = (target) => JSON.stringify(relative(join(output, 'bundle'), target).replaceAll(sep, '/'))
      const contents = readFileSync(path, 'utf8')
        .replaceAll(/\bimport\.meta\.url\b/g, `new URL(${place(path)}, import.meta.url).href`)
        .replaceAll(
          /\bimport\.meta\.dirname\b/g,
          `process.getBuiltinModule('node:path').join(import.meta.dirname, ${place(dirname(path))})`,
        )
      return { loader: 'ts', contents: imports(path) + contents }
    })
  },
})

/** A start runs no command. */
const withoutCommands = {
  name: 'without commands',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/commands\.ts$/ }, () => ({ path: './cli.mjs', external: true }))
  },
}

const options = (root, output) => ({
  absWorkingDir: root,
  outdir: output,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  packages: 'external',
  metafile: true,
  write: false,
  logLevel: 'warning',
})

/** @returns {Set<string>} the files that are imported where they are first needed. */
function loadedLater({ inputs }) {
  const imports = Object.values(inputs).flatMap((input) => input.imports)
  return new Set(imports.filter(({ kind, external }) => kind === 'dynamic-import' && !external).map(({ path }) => path))
}

/**
 * Makes a script of a module. It gets what only modules have as parameters, by names that no source uses.
 * @returns {Promise<string>}
 */
async function scriptOf(code, imports) {
  const define = {
    'import.meta.url': '__url',
    'import.meta.dirname': '__dirname',
    'import.meta.resolve': '__resolve',
  }
  const { code: script } = await transform(code, { format: 'cjs', platform: 'node', target: 'node24', define })
  const later = imports.filter(({ kind }) => kind === 'dynamic-import')
  const specifiers = new Set(later.map(({ path, external }) => JSON.stringify(external ? path : `./${basename(path)}`)))
  let body = script
  for (const each of specifiers) body = body.replaceAll(`import(${each})`, `__import(${each})`)
  return `(function (require, module, __url, __dirname, __resolve, __import) {${body}\n})\n`
}

/** Replaces the module with what every start loads by a script and a module that runs it. */
async function asScript(output, { path, text }) {
  const script = await scriptOf(text, output.imports)
  const name = `start-${createHash('sha256').update(script).digest('hex').slice(0, 16)}.cjs`
  const module = `import { runScript } from './start-script.mjs'
const place = new URL('${name}', import.meta.url)
const script = runScript(place, (specifier) => import.meta.resolve(specifier), (specifier) => import(specifier))
export const { ${output.exports.join(', ')} } = script
`
  return [
    [name, script],
    [basename(path), module],
  ]
}

async function bundleStart(root, output, later) {
  // If everything that is loaded later imports what every start loads, esbuild makes one module of the latter instead of 150.
  const importStart = (path) => (later.has(path) ? `import ${JSON.stringify(join(root, start))}\n` : '')
  const { metafile, outputFiles } = await build({
    ...options(root, output),
    entryPoints: { start: commandLine, 'start-script': `${platform}/startup/start-script.ts` },
    plugins: [withoutCommands, ownPackages, placesOfSources(output, importStart)],
  })
  const [place] = Object.entries(metafile.outputs).find(([, { inputs }]) => start in inputs)
  const whole = outputFiles.find(({ path }) => path === join(root, place))
  return [
    ...outputFiles.filter((file) => file !== whole).map(({ path, contents }) => [basename(path), contents]),
    ...(await asScript(metafile.outputs[place], whole)),
  ]
}

/**
 * @param {string} root @param {string} output the folder that the folder with the bundle will be in.
 * @returns {Promise<{ files: string[], outputs: [name: string, text: string | Uint8Array][] }>} the sources that it was made from, and its
 *   files.
 */
export async function bundleService(root, output) {
  const { metafile, outputFiles } = await build({
    ...options(root, output),
    entryPoints: [commandLine],
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [ownPackages, placesOfSources(output)],
  })
  const later = new Set([...loadedLater(metafile)].filter((path) => path !== start && path !== first))
  return {
    files: Object.keys(metafile.inputs).toSorted(),
    outputs: [
      ...outputFiles.map(({ path, contents }) => [basename(path), contents]),
      ...(await bundleStart(root, output, new Set([...later].map((path) => join(root, path))))),
    ],
  }
}
