// Whatever ends a test, the end of the output says which one, where and why.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const reporter = fileURLToPath(new URL('report.ts', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'bailiwick-report-'))
after(() => rmSync(directory, { recursive: true, force: true }))

const tests = {
  passes: `import { it } from 'node:test'\nit('passes', () => {})\n`,
  differs: `import assert from 'node:assert'
import { describe, it } from 'node:test'
describe('a sum', () => {
  it('is right', () => assert.equal(1 + 1, 3, 'one and one are two'))
  it('passes', () => {})
})
`,
  hangs: `import { it } from 'node:test'
it('ends in time', async () => {
  // After the process has told the runner that the test has begun.
  setTimeout(() => console.log('it hangs'), 300)
  await new Promise((resolve) => setTimeout(resolve, 60_000))
})
`,
  'fails-before': `import { before, describe, it } from 'node:test'
describe('a suite', () => {
  before(() => { throw new Error('the service does not start') })
  it('is never run', () => {})
})
`,
  dies: `import { it } from 'node:test'
// After the process has told the runner that the test has begun.
it('is killed', () => new Promise(() => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300)))
`,
} as const

interface Ended {
  readonly output: string
  readonly status: number | null
}

/** Runs these files; `stopOn` stops the run by SIGTERM as soon as the output has this text. */
async function runFiles(names: readonly (keyof typeof tests)[], { timeoutMs = 0, stopOn = '' } = {}): Promise<Ended> {
  for (const name of names) writeFileSync(join(directory, `${name}.test.mjs`), tests[name])
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const timeout = timeoutMs > 0 ? [`--test-timeout=${timeoutMs}`] : []
  const args = ['--test', `--test-reporter=${reporter}`, '--test-force-exit', ...timeout]
  const child = spawn(process.execPath, [...args, ...names.map((name) => `${name}.test.mjs`)], { cwd: directory, env })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    if (stopOn !== '' && chunk.includes(stopOn)) child.kill('SIGTERM')
  })
  const [status] = (await once(child, 'close')) as [number | null]
  return { output, status }
}

/** What follows the heading of the failures. */
const lastPart = (output: string) => output.split('what has failed, again:\n')[1] ?? ''

describe('the end of the output of a run', () => {
  it('names each failed test with its file, its suites and the reason, then counts the tests', async () => {
    const { output, status } = await runFiles(['passes', 'differs', 'fails-before'])
    assert.equal(status, 1)
    const [failures = '', closing = ''] = lastPart(output).split('\n\n')
    assert.match(
      failures,
      /^✖ differs\.test\.mjs:4 › a sum › is right\n {4}AssertionError: one and one are two\n/m,
      output,
    )
    assert.match(failures, /^✖ fails-before\.test\.mjs:2 › a suite\n {4}the service does not start$/m, output)
    assert.match(closing, /^ℹ tests 4\nℹ suites 2\nℹ pass 2\nℹ fail 1\nℹ cancelled 1\n/, output)
    assert.equal(output.match(/^ℹ tests /gm)?.length, 1, output)
  })

  it('names a test that did not end in time', async () => {
    const { output } = await runFiles(['passes', 'hangs'], { timeoutMs: 1000 })
    assert.match(lastPart(output), /^✖ hangs\.test\.mjs:2 › ends in time\n {4}test timed out after 1000ms\n/, output)
  })

  it('names the test that was running when its process died', async () => {
    const { output, status } = await runFiles(['dies'])
    assert.equal(status, 1)
    assert.match(
      lastPart(output),
      /^✖ dies\.test\.mjs:1 › dies\.test\.mjs\n {4}its process was ended by SIGKILL$/m,
      output,
    )
    assert.match(lastPart(output), /^✖ dies\.test\.mjs:3 › is killed\n {4}began \d+ s ago and did not end$/m, output)
  })

  it('names what has failed and what was running when the run is stopped, and fails', async () => {
    const { output, status } = await runFiles(['differs', 'hangs'], { stopOn: 'it hangs' })
    assert.notEqual(status, 0)
    assert.match(lastPart(output), /a sum › is right\n {4}AssertionError: one and one are two\n/, output)
    assert.match(
      lastPart(output),
      /^✖ hangs\.test\.mjs:2 › ends in time\n {4}began \d+ s ago and did not end$/m,
      output,
    )
  })

  it('lists nothing if every test has passed', async () => {
    const { output, status } = await runFiles(['passes'])
    assert.equal(status, 0)
    assert.ok(!output.includes('what has failed'), output)
    assert.match(output, /ℹ pass 1\nℹ fail 0\n/)
  })
})
