// Whatever its files do, a bundle passes only if all their tests have passed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { groupBundles, writeBundle } from './test-bundles.ts'

const directory = mkdtempSync(join(tmpdir(), 'bailiwick-bundles-'))
after(() => rmSync(directory, { recursive: true, force: true }))

const passing = (title: string) => `import { it } from 'node:test'\nit('${title}', () => {})\n`
const failing = `import { it } from 'node:test'\nit('fails', () => { throw new Error('it fails') })\n`
/** Takes longer than the tests of the file before it. */
const loadingSlowly = `await new Promise((resolve) => setTimeout(resolve, 300))\n`

let folders = 0

/** Writes the files, and returns their paths. */
function written(sources: readonly string[]): string[] {
  const folder = join(directory, String(++folders))
  mkdirSync(folder)
  return sources.map((source, at) => {
    const file = join(folder, `file-${at}.mjs`)
    writeFileSync(file, source)
    return file
  })
}

/** Runs a bundle of these files as `npm test` does. */
async function runBundle(...sources: readonly string[]) {
  const files = written(sources)
  const path = writeBundle({ name: `bundle-${folders}`, files }, directory)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise<{ readonly isPassed: boolean; readonly output: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--test', '--test-reporter=tap', '--test-force-exit', path],
      { env },
      (error, stdout, stderr) => resolve({ isPassed: error === null, output: stdout + stderr }),
    )
  })
}

describe('a bundle of test files', () => {
  it('passes with every test of every file, and one that waits until they are loaded', async () => {
    const { isPassed, output } = await runBundle(passing('one'), loadingSlowly + passing('two'), passing('three'))
    assert.ok(isPassed, output)
    assert.deepEqual(
      [...output.matchAll(/^ *ok \d+ - (.*)$/gm)].map(([, title]) => title),
      ['loads each of its files', 'one', 'two', 'three'],
    )
  })

  it('fails if a file that is loaded slowly fails', async () => {
    const { isPassed, output } = await runBundle(passing('one'), loadingSlowly + failing)
    assert.ok(!isPassed, output)
    assert.match(output, /not ok \d+ - fails/)
  })

  it('fails if a file cannot be loaded', async () => {
    const { isPassed, output } = await runBundle(passing('one'), `${loadingSlowly}throw new Error('it is broken')\n`)
    assert.ok(!isPassed, output)
    assert.match(output, /it is broken/)
  })

  it('fails, and prints the error, if the rejection of a promise is not handled', async () => {
    const careless = `import { it } from 'node:test'
it('rejects', async () => {
  await null
  void Promise.reject(new Error('nobody sees it'))
  await new Promise((resolve) => setImmediate(resolve))
})
`
    const { isPassed, output } = await runBundle(passing('one'), careless, loadingSlowly + passing('three'))
    assert.ok(!isPassed, output)
    assert.match(output, /nobody sees it/)
  })

  it('fails if a test ends the process with status 0', async () => {
    const exiting = `import { it } from 'node:test'\nit('exits', () => process.exit(0))\n`
    const { isPassed, output } = await runBundle(passing('one'), exiting, failing)
    assert.ok(!isPassed, output)
    assert.match(output, /The process has ended before its last test/)
  })

  it('fails if a file ends the process with status 0 while it is loaded', async () => {
    const { isPassed, output } = await runBundle(passing('one'), 'process.exit(0)\n', failing)
    assert.ok(!isPassed, output)
  })

  it('cleans up after a file that is loaded slowly, when all tests are done', async () => {
    const cleaning = `import { after } from 'node:test'\nafter(() => { throw new Error('it is cleaned up') })\n`
    const { isPassed, output } = await runBundle(passing('one'), loadingSlowly + cleaning, passing('three'))
    assert.ok(!isPassed, output)
    assert.match(output, /it is cleaned up/)
  })

  it('holds no file with a hook that belongs to the whole process', () => {
    const hooks = ['before', 'beforeEach', 'afterEach'].map((name) => `${name}(() => {})\n`)
    const files = written([...hooks, passing('one'), passing('two'), passing('three'), passing('four')])
    const { bundles, single } = groupBundles(files)
    assert.deepEqual(single.slice(0, hooks.length), files.slice(0, hooks.length))
    assert.deepEqual([...bundles.flatMap((bundle) => bundle.files), ...single].toSorted(), files.toSorted())
  })
})
