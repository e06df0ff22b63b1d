// Puts many files of tests into one process each: loading the service and letting V8 warm up would otherwise be most of what a file costs.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

/** For that many files, loading the service once costs little compared with running them, and a failed process still names few files. */
const filesMax = 60

const withSeparators = (paths: readonly string[]) => paths.map((path) => path.replaceAll('/', sep))

/**
 * Tests that start processes as people do: browsers, services, commands, and projects on the packages. They take longer than all
 * others together, so `npm run test:walks` runs them, and `npm test` only if it is given their path.
 */
const walks = withSeparators([
  'server/test/browser/',
  'server/test/process/',
  'react/test/',
  'scripts/packages/',
  'scripts/release.test.ts',
])

export const isWalk = (file: string) => walks.some((path) => file.startsWith(path))

/** Tests that need a process of their own: they start processes themselves, or change or measure their own. */
const alone = [
  ...walks,
  ...withSeparators([
    'scripts/',
    // Sets flags of V8.
    'server/src/platform/startup/idle-memory.test.ts',
    'server/src/platform/startup/young-heap.test.ts',
    // Replaces `fs.fdatasync`.
    'server/src/platform/db/sqlite/sync.test.ts',
    // Measures the memory of its process.
    'server/src/media/engine/workers/pool.test.ts',
  ]),
]

/**
 * Matches a hook that affects the whole process, so that its file needs a process to itself. Files in a bundle may use `after` to clean up.
 */
const hookOfProcess = /^(?:before|beforeEach|afterEach)\(/m

const isAlone = (file: string) =>
  alone.some((path) => file.startsWith(path)) || hookOfProcess.test(readFileSync(file, 'utf8'))

/** The number of bundles that run at the same time: three processes keep two cores busy while one of them waits for PostgreSQL. */
export const atOnce = 3

/** Walks wait more than they compute: for browsers to draw, for services to end, for what they have planned. Four keep two cores busy. */
export const walksAtOnce = 4

export interface Bundle {
  readonly name: string
  readonly files: readonly string[]
}

/**
 * Every file is in exactly one bundle. A bundle holds files of one package only, because each package replaces other parts of its process.
 */
export function groupBundles(files: readonly string[]): {
  readonly bundles: readonly Bundle[]
  readonly single: readonly string[]
} {
  const single = files.filter(isAlone)
  const shared = Object.groupBy(
    files.filter((file) => !single.includes(file)),
    (file) => file.split(sep)[0] ?? '',
  )
  const bundles = Object.entries(shared).flatMap(([name, inPackage = []]) => {
    // As many as run at once, or a multiple of that, so that all end at about the same time.
    const rounds = Math.ceil(inPackage.length / filesMax / atOnce)
    const count = Math.min(inPackage.length, rounds * atOnce)
    return Array.from({ length: count }, (_, at) => ({
      name: `${name}-${String(at + 1).padStart(2, '0')}`,
      // Files are dealt in turns, because files of one folder take about equally long.
      files: inPackage.filter((_file, index) => index % count === at),
    }))
  })
  const isOne = ({ files: inBundle }: Bundle) => inBundle.length === 1
  return {
    bundles: bundles.filter((bundle) => !isOne(bundle)),
    single: [...single, ...bundles.filter(isOne).flatMap((bundle) => bundle.files)],
  }
}

/**
 * Writes a bundle as a file that the runner takes, and returns its path. With --test-force-exit a process ends as soon as every test that is
 * registered by then is done, whether or not more files are being loaded, and a test that ends the process with status 0 hides those that
 * follow. So the first test lasts until every file is loaded, and the process fails if it ends before its last test is done.
 */
export function writeBundle({ name, files }: Bundle, directory: string): string {
  const path = join(directory, `${name}.test.mjs`)
  const urls = files.map((file) => pathToFileURL(resolve(file)).href)
  writeFileSync(
    path,
    `import { stopTracking } from ${JSON.stringify(new URL('testing/tracking.mjs', import.meta.url).href)}

const { after, it } = await import('node:test')
let isDone = false
// While nothing else keeps the process alive, the runner takes it for ended, and writes its report before the last hooks have run.
const alive = setInterval(() => undefined, 60_000)
async function load() {
  for (const url of ${JSON.stringify(urls)}) await import(url)
  // Runs after everything that the files have registered to run at the end.
  after(() => {
    isDone = true
    clearInterval(alive)
  })
  stopTracking()
}
// It begins outside the test, because otherwise the tests of the files would become parts of that test.
const loaded = load()
it('loads each of its files', () => loaded)
process.once('exit', () => {
  if (isDone) return
  console.error('The process has ended before its last test.')
  process.exitCode = 1
})
`,
  )
  return path
}
