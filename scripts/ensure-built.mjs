// Runs after ensure-installed before `npm start`, `npm run dev` and `npm test`: builds the console if any of its sources has changed since
// the last build. Plain JavaScript, because it runs on whatever Node the machine has (20 or newer).
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const output = join(root, 'console/.built')
const stamp = join(output, 'inputs.sha256')
/** Everything that the build reads. The lock file is included because of the libraries. */
const inputs = [
  'console/index.html',
  'console/package.json',
  'console/tsconfig.json',
  'console/vite.config.ts',
  'console/src',
  'contract/src',
  'sdk/src',
  'pages/src',
  'package-lock.json',
]
const isSource = (name) => !/\.test\.tsx?$/.test(name)

/** @param {string} path @returns {string[]} */
function filesAt(path) {
  const entries = [...readdirSync(path, { withFileTypes: true })].toSorted((one, two) => (one.name < two.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const inside = join(path, entry.name)
    return entry.isDirectory() ? filesAt(inside) : isSource(entry.name) ? [inside] : []
  })
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const input of inputs) {
    const path = join(root, input)
    const files = /\.\w+$/.test(input) ? [path] : filesAt(path)
    for (const file of files) {
      hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
    }
  }
  return hash.digest('hex')
}

/** The Node 24 that npm has installed, which runs TypeScript; on a machine without it, the machine's own. */
function node() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${platform}-${process.arch}/package.json`)
    const installed = join(dirname(manifest), 'bin', file)
    return existsSync(installed) ? installed : process.execPath
  } catch {
    return process.execPath
  }
}

function build(wanted) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) {
    console.error('The console is not built, because vite is not installed: run npm ci.')
    return 0
  }
  const beside = `${output}.${process.pid}`
  const result = spawnSync(
    node(),
    [vite, 'build', '--outDir', beside, '--emptyOutDir', '--logLevel', 'warn', '--configLoader', 'native'],
    { cwd: join(root, 'console'), stdio: ['ignore', 2, 2] },
  )
  if (result.status !== 0) {
    rmSync(beside, { recursive: true, force: true })
    console.error('The console could not be built; see the messages above.')
    return result.status ?? 1
  }
  writeFileSync(join(beside, 'inputs.sha256'), wanted)
  // Renamed, so that a running service sees either the complete old build or the complete new one.
  const old = `${output}.old-${process.pid}`
  if (existsSync(output)) renameSync(output, old)
  renameSync(beside, output)
  rmSync(old, { recursive: true, force: true })
  return 0
}

const wanted = fingerprint()
const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
process.exitCode = isCurrent ? 0 : build(wanted)
