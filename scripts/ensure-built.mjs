// Runs after ensure-installed before `npm start`, `npm run dev` and `npm test`: builds the console and the documentation, each if any of its
// sources has changed since the last build. Plain JavaScript, because it runs on whatever Node the machine has (20 or newer).
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * What is built: where, of which sources, by which packages, and with which arguments of Node. The lock file is a source because of the
 * libraries.
 */
const builds = [
  {
    name: 'console',
    output: 'console/.built',
    sources: [
      'console/index.html',
      'console/package.json',
      'console/tsconfig.json',
      'console/vite.config.ts',
      'console/src',
      'contract/src',
      'sdk/src',
      'pages/src',
      'package-lock.json',
    ],
    packages: ['vite'],
    command: (folder) => [
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      '--outDir',
      folder,
      '--emptyOutDir',
      '--logLevel',
      'warn',
      '--configLoader',
      'native',
    ],
  },
  {
    name: 'documentation',
    // A service without it runs all the same. `npm run check` and CI refuse what it fails for, such as a broken link.
    isOptional: true,
    output: 'site/.built',
    // Everything that the documents link to is shown, too.
    sources: [
      'site/src',
      'docs',
      'README.md',
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'bench/RESULTS.md',
      'contract/openapi.json',
      'contract/openapi-frontend.json',
      'contract/README.md',
      'deploy',
      'examples',
      'react/README.md',
      'sdk/README.md',
      'sdk/src/connection-operations.gen.ts',
      'sdk/src/frontend-operations.gen.ts',
      'sdk/src/operations.gen.ts',
      'console/src/form/as-code.ts',
      'console/src/styles/theme.css',
      'pages/src/styles/tokens.css',
      'package-lock.json',
    ],
    packages: ['esbuild', 'highlight.js', 'marked', 'minisearch'],
    command: (folder) => [join(root, 'site/src/build.ts'), '--served', '--out', folder],
  },
]
const isSource = (name) => !/\.test\.tsx?$/.test(name) && name !== 'node_modules' && name !== '.next'

/** @param {string} path @returns {string[]} */
function filesAt(path) {
  if (statSync(path).isFile()) return [path]
  const names = readdirSync(path).filter(isSource).toSorted()
  return names.flatMap((name) => filesAt(join(path, name)))
}

function fingerprint(sources) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesAt(join(root, source)))) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
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

/** @returns {Promise<number>} the exit status */
function run(args, folder) {
  const child = spawn(node(), args, { cwd: join(root, folder), stdio: ['ignore', 2, 2] })
  return new Promise((resolve) => {
    child.on('error', () => resolve(1))
    child.on('exit', (status) => resolve(status ?? 1))
  })
}

async function ensure({ name, output, sources, packages, command, isOptional }) {
  const target = join(root, output)
  const stamp = join(target, 'inputs.sha256')
  const wanted = fingerprint(sources)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return 0
  const absent = packages.find((each) => !existsSync(join(root, 'node_modules', each)))
  if (absent !== undefined) {
    console.error(`The ${name} is not built, because ${absent} is not installed: run npm ci.`)
    return 0
  }
  const beside = `${target}.${process.pid}`
  const status = await run(command(beside), dirname(output))
  if (status !== 0) {
    rmSync(beside, { recursive: true, force: true })
    console.error(`The ${name} could not be built; see the messages above.`)
    return isOptional ? 0 : status
  }
  writeFileSync(join(beside, 'inputs.sha256'), wanted)
  // Renamed, so that a running service sees either the complete old build or the complete new one.
  const old = `${target}.old-${process.pid}`
  if (existsSync(target)) renameSync(target, old)
  renameSync(beside, target)
  rmSync(old, { recursive: true, force: true })
  return 0
}

const statuses = await Promise.all(builds.map(ensure))
process.exitCode = statuses.find((status) => status !== 0) ?? 0
