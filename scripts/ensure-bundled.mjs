// Runs after ensure-installed before `npm start`, `npm test` and `npm run bench`: writes the service into a few files, because resolving and
// loading some 700 modules is most of a start. See docs/decisions/0017-speed-tricks.md. Plain JavaScript, because it runs on whatever
// Node the machine has (20 or newer).
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bundler = join(root, 'server/scripts/bundle.mjs')
const output = join(root, 'server/.built')
const entry = join(output, 'cli.mjs')
const inputsFile = join(output, 'inputs.json')
/** A service loads some parts late, and so keeps the bundle that it was started from, whatever is built meanwhile. */
const bundlesKept = 8

/** @param {readonly string[]} files @returns {string} */
function fingerprintOf(files) {
  const hash = createHash('sha256')
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(readFileSync(bundler))
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

async function bundle() {
  const { bundleService } = await import('../server/scripts/bundle.mjs')
  const { files, outputs } = await bundleService(root, output)
  const fingerprint = fingerprintOf(files)
  const folder = `bundle-${fingerprint}`
  const beside = join(output, `unfinished-${process.pid}`)
  // One that was killed may have left it: in a container each has the same id.
  rmSync(beside, { recursive: true, force: true })
  mkdirSync(beside)
  for (const [name, text] of outputs) writeFileSync(join(beside, name), text)
  rmSync(join(output, folder), { recursive: true, force: true })
  renameSync(beside, join(output, folder))
  replaceFile(
    entry,
    `// Only commands are run with source maps.
const starts = process.argv.length === 3 && process.argv[2] === 'start' && !process.sourceMapsEnabled
await import(starts ? './${folder}/start.mjs' : './${folder}/cli.mjs')
`,
  )
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
