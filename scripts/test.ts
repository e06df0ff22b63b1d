// What `npm test` and `npm run test:walks` run: every test of their part, or the tests of the files and folders given, on SQLite and on a
// PostgreSQL that is started for the run and removed after it. `--engine=sqlite` or `--engine=postgresql` leaves the other engine out;
// `--each-engine` runs the suites in a browser, which otherwise run on one engine, on both. `--nodes=2` sends the requests of the suites with one
// service to two nodes in turn, where the database is PostgreSQL. `--engine=citus` runs on PostgreSQL with its tables distributed by Citus, which
// scripts/build-citus.ts builds. `--pooler` sends the statements of the service to PostgreSQL through PgBouncer
// in transaction mode.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { sharedPackagesFolder } from './packages/packed-packages.ts'
import { startPrivateCitus } from './private-citus.ts'
import { startPrivatePooler } from './private-pooler.ts'
import { startPrivatePostgres } from './private-postgres.ts'
import { atOnce, groupBundles, isWalk, walksAtOnce, writeBundle } from './test-bundles.ts'

const nodeMajorMin = 24
const patterns = ['contract', 'server', 'pages', 'sdk', 'react', 'testing', 'console', 'scripts', 'bench'].map(
  (folder) => `${folder}/**/*.test.ts`,
)
// The time-out is that of each test, hook and suite: the longest suites take more than two minutes, and several times that on a machine
// that does something else beside them. Without force-exit, a failed test that left a socket open would keep the run from ending.
const runnerOptions = [
  '--test',
  `--test-reporter=${new URL('testing/report.ts', import.meta.url).href}`,
  '--test-timeout=480000',
  '--test-force-exit',
]

const major = Number(process.versions.node.split('.')[0])
if (major < nodeMajorMin) {
  console.error(`The tests need Node.js ${nodeMajorMin}; this is ${process.version}. Run them with: npm test`)
  process.exit(1)
}

const usage =
  'npm test -- [file or folder …] [--engine=sqlite|postgresql|citus] [--each-engine] [--nodes=2] [--pooler]; npm run test:walks runs all that are not in npm test'
const engines = ['sqlite', 'postgresql', 'citus'] as const

interface Wanted {
  readonly files: readonly string[]
  readonly engine: (typeof engines)[number] | undefined
  readonly isOnEachEngine: boolean
  readonly nodeCount: string | undefined
  readonly isPooled: boolean
}

function exitWithUsage(problem: string): never {
  console.error(`${problem}\n${usage}`)
  process.exit(2)
}

function testsAt(path: string): string[] {
  if (!existsSync(path)) exitWithUsage(`There is no ${path}.`)
  if (!statSync(path).isDirectory()) return [path]
  return globSync(join(path, '**/*.test.ts'), { exclude: ['**/node_modules/**'] })
}

/** What is about databases that Citus has distributed. Machines without it run the tests, too, so these need `--engine=citus`. */
const isAboutCitus = (file: string) => file.includes(join('server', 'test', 'citus'))

const testsOfPart = (areWalks: boolean): string[] =>
  globSync(patterns, { exclude: ['**/node_modules/**'] }).filter(
    (file) => isWalk(file) === areWalks && !isAboutCitus(file),
  )

function readArguments(): Wanted {
  try {
    const { values, positionals } = parseArgs({
      options: {
        engine: { type: 'string' },
        nodes: { type: 'string' },
        'each-engine': { type: 'boolean', default: false },
        pooler: { type: 'boolean', default: false },
        walks: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
    const engine = engines.find((name) => name === values.engine)
    if (values.engine !== undefined && engine === undefined) exitWithUsage(`--engine takes ${engines.join(', ')}.`)
    const paths = positionals.length > 0 ? positionals.flatMap(testsAt) : testsOfPart(values.walks)
    return {
      files: [...new Set(paths.map((path) => relative('', path)))].toSorted(),
      engine,
      isOnEachEngine: values['each-engine'],
      nodeCount: values.nodes,
      isPooled: values.pooler,
    }
  } catch (error) {
    return exitWithUsage(error instanceof Error ? error.message : String(error))
  }
}

const { files, engine, isOnEachEngine, nodeCount, isPooled } = readArguments()
if (files.length === 0) exitWithUsage('There are no tests there.')
if (engine !== 'citus' && files.some(isAboutCitus)) exitWithUsage('The tests in server/test/citus take --engine=citus.')

const memoryFolder = '/dev/shm'
/** What the databases and files of a run have taken so far is less than a third of this. */
const memoryBytesMin = 6 * 1024 ** 3

/**
 * Puts temporary files into memory where there is plenty: each suite begins with a database of its own, and files on a disk would take an
 * eighth of the time of all tests. The walks stay on the disk, because they kill services and look at what is left.
 */
function useMemoryForFiles(): void {
  if (process.env['TMPDIR'] !== undefined || files.some(isWalk) || !existsSync(memoryFolder)) return
  const { bavail, bsize } = statfsSync(memoryFolder)
  if (Math.min(bavail * bsize, process.availableMemory()) < memoryBytesMin) return
  const folder = mkdtempSync(join(memoryFolder, 'bailiwick-'))
  // PostgreSQL runs under another account where this process is root's.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
}

useMemoryForFiles()
const external = process.env['TEST_DATABASE_URL'] ?? ''
if (external === '') {
  const postgres = await (engine === 'citus' ? startPrivateCitus : startPrivatePostgres)({ isDurable: false })
  try {
    process.exitCode = await runTests(files, postgres.url)
  } finally {
    await postgres.stop()
  }
} else {
  process.exitCode = await runTests(files, external)
}

async function runTests(testFiles: readonly string[], databaseUrl: string): Promise<number> {
  if (!isPooled) return runFiles(testFiles, databaseUrl, {})
  const pooler = await startPrivatePooler(databaseUrl)
  try {
    return await runFiles(testFiles, databaseUrl, { TEST_POOLER_URL: pooler.pooled(databaseUrl) })
  } finally {
    await pooler.stop()
  }
}

async function runFiles(
  testFiles: readonly string[],
  databaseUrl: string,
  further: Readonly<Record<string, string>>,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'bailiwick-tests-'))
  const packages = sharedPackagesFolder(basename(directory))
  process.once('exit', () => {
    for (const folder of [directory, packages]) rmSync(folder, { recursive: true, force: true })
  })
  const { bundles, single } = groupBundles(testFiles)
  // Printed before the run, so that its output ends with what has failed.
  for (const { name, files: inBundle } of bundles) console.log(`${name}: ${inBundle.join(' ')}`)
  const paths = [...bundles.map((bundle) => writeBundle(bundle, directory)), ...single]
  const concurrency = `--test-concurrency=${testFiles.some(isWalk) ? walksAtOnce : atOnce}`
  const runner = spawn(process.execPath, [...runnerOptions, concurrency, ...paths], {
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_DATABASE_URL: databaseUrl,
      ...further,
      TEST_PACKAGES: packages,
      TEST_FOLDER: directory,
      ...(engine === undefined ? {} : { TEST_ENGINE: engine === 'citus' ? 'postgresql' : engine }),
      ...(engine === 'citus' ? { TEST_CITUS: '1' } : {}),
      ...(isOnEachEngine ? { TEST_EACH_ENGINE: '1' } : {}),
      ...(nodeCount === undefined ? {} : { TEST_NODES: nodeCount }),
      // What one process has compiled, the next one reuses.
      ...(paths.length > 2 ? { NODE_COMPILE_CACHE: join(directory, 'compiled') } : {}),
    },
  })
  // A signal that reaches this process alone must not leave the runner behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => runner.kill(signal))
  const status = await new Promise<number>((resolve, reject) => {
    runner.once('error', reject)
    runner.once('exit', (code) => resolve(code ?? 1))
  })
  await dropTemplate(join(directory, 'template.json'), databaseUrl)
  return status
}

/** Drops the database that the processes of this run have copied; its name is in the record if there is one. */
async function dropTemplate(record: string, databaseUrl: string): Promise<void> {
  if (!existsSync(record)) return
  const { name } = JSON.parse(readFileSync(record, 'utf8')) as { readonly name: string }
  const client = new Client(databaseUrl)
  await client.connect()
  await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
  await client.end()
}
