// What `npm test` runs: every test, or the files given, against SQLite and a PostgreSQL that exists only meanwhile.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { startPrivatePostgres } from './private-postgres.ts'

const nodeMajorMin = 24
const patterns = ['contract', 'server', 'sdk', 'scripts', 'bench'].map((folder) => `${folder}/**/*.test.ts`)
// The time-out is each test's own: without force-exit, a failed test that left a socket open would keep the run from ending.
const runnerOptions = [
  '--test',
  '--test-reporter=spec',
  '--test-concurrency=2',
  '--test-timeout=120000',
  '--test-force-exit',
]

const major = Number(process.versions.node.split('.')[0])
if (major < nodeMajorMin) {
  console.error(`The tests need Node.js ${nodeMajorMin}; this is ${process.version}. Run them with: npm test`)
  process.exit(1)
}

const given = process.argv.slice(2)
const files = given.length > 0 ? given : globSync(patterns, { exclude: ['**/node_modules/**'] }).toSorted()
if (files.length === 0) {
  console.error('There are no tests.')
  process.exit(1)
}

const external = process.env['TEST_DATABASE_URL'] ?? ''
if (external === '') {
  const postgres = await startPrivatePostgres()
  try {
    process.exitCode = await runTests(files, postgres.url)
  } finally {
    await postgres.stop()
  }
} else {
  process.exitCode = await runTests(files, external)
}

async function runTests(testFiles: readonly string[], databaseUrl: string): Promise<number> {
  const runner = spawn(process.execPath, [...runnerOptions, ...testFiles], {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: databaseUrl },
  })
  // A signal that reaches this process alone must not leave the runner behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => runner.kill(signal))
  return new Promise((resolve, reject) => {
    runner.once('error', reject)
    runner.once('exit', (code) => {
      resolve(code ?? 1)
    })
  })
}
