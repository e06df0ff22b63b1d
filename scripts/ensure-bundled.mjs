// Runs after ensure-installed before `npm start`, `npm test` and `npm run bench`: writes the service into a few files, because resolving and
// loading some 700 modules is most of a start. See docs/decisions/0017-speed-tricks.md. Plain JavaScript, because it runs on whatever
// Node the machine has (20 or newer).
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'server/src/service/cli.mjs')
const output = join(root, 'server/.built')
const entry = join(output, 'cli.mjs')
const inputsFile = join(output, 'inputs.json')
/** A service loads some parts late, and so keeps the bundle that it was started from, whatever is built meanwhile. */
const bundlesKept = 8

/** @param {readonly string[]} files @returns {string} */
function fingerprintOf(files) {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)))
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}

function isCurrent() {
  try {
    const { files, fingerprint } = JSON.parse(readFileSync(inputsFile, 'utf8'))
    return statSync(entry).isFile() && fingerprintOf(files) === fingerprint
  } catch {
    return false
  }
}

/** Writes a new file and renames it, so that a service that starts meanwhile reads either the old text or the new one. */
function replaceFile(path, text) {
  const beside = `${path}.${process.pid}`
  writeFileSync(beside, text)
  renameSync(beside, path)
}

/** Packages of this repository become part of the bundle; all others stay where npm has installed them. */
const ownPackages = {
  name: 'own packages',
  setup(build) {
    build.onResolve({ filter: /^@bailiwick\// }, ({ path, importer }) => ({
      path: createRequire(importer).resolve(path),
    }))
  },
}

/** A module of the bundle finds the files beside its source (workers, fonts, styles) by the path of its source, relative to the bundle. */
const placesOfSources = {
  name: 'places of sources',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const place = (target) => JSON.stringify(relative(join(output, 'bundle'), target).replaceAll(sep, '/'))
      const contents = readFileSync(path, 'utf8')
        .replaceAll(/\bimport\.meta\.url\b/g, `new URL(${place(path)}, import.meta.url).href`)
        .replaceAll(
          /\bimport\.meta\.dirname\b/g,
          `process.getBuiltinModule('node:path').join(import.meta.dirname, ${place(dirname(path))})`,
        )
      return { loader: 'ts', contents }
    })
  },
}

async function bundle() {
  const { build } = createRequire(import.meta.url)('esbuild')
  const beside = join(output, `unfinished-${process.pid}`)
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    outdir: beside,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    packages: 'external',
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
    plugins: [ownPackages, placesOfSources],
  })
  const files = Object.keys(metafile.inputs).toSorted()
  const fingerprint = fingerprintOf(files)
  const folder = `bundle-${fingerprint}`
  rmSync(join(output, folder), { recursive: true, force: true })
  renameSync(beside, join(output, folder))
  replaceFile(entry, `await import('./${folder}/cli.mjs')\n`)
  replaceFile(inputsFile, JSON.stringify({ fingerprint, files }))
  removeOldBundles()
}

function removeOldBundles() {
  const folders = readdirSync(output)
    .filter((name) => name.startsWith('bundle-'))
    .map((name) => ({ path: join(output, name), ms: statSync(join(output, name)).mtimeMs }))
    .toSorted((one, other) => other.ms - one.ms)
  for (const { path } of folders.slice(bundlesKept)) rmSync(path, { recursive: true, force: true })
}

function isInstalled() {
  try {
    createRequire(import.meta.url).resolve('esbuild')
    return true
  } catch {
    return false
  }
}

if (!isCurrent()) {
  mkdirSync(output, { recursive: true })
  if (isInstalled()) await bundle()
  else {
    // Without the development dependencies the service runs from its sources, and only starts more slowly.
    replaceFile(entry, `await import('../src/service/cli.mjs')\n`)
  }
}
