// `npm run bench`: measures the service beside its foundations and beside another library, on both engines, and writes RESULTS.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPrivatePostgres } from '../../scripts/private-postgres.ts'
import { describeCommit, describeMachine } from './machine.ts'
import { measures } from './measures.ts'
import { comparePeers } from './peers/compare-peers.ts'
import { peersSection, withPeers } from './peers/report.ts'
import { formatLine, markdown, withAgain } from './report.ts'
import type { ResultRow } from './results.ts'
import { type Settings, UsageError, isFullRun, measureNames, readSettings } from './settings.ts'
import { sectionsOfOthers } from './transfer-report.ts'
import { World } from './world.ts'

const resultsFile = new URL('../RESULTS.md', import.meta.url)
const usage = `npm run bench -- [--quick | --again] [--only=${measureNames.join('|')}|peers] [--engine=sqlite|postgresql] [--provisioned=users]`

function settingsOrExit(args: readonly string[]): Settings {
  try {
    return readSettings(args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}\n${usage}`)
    process.exit(2)
  }
}

/** Takes all measures of one engine, and hands on the rows of each as soon as it has ended. */
async function measureEngine(world: World, keep: (rows: readonly ResultRow[]) => void): Promise<void> {
  try {
    for (const name of measureNames) {
      if (!world.settings.only.includes(name)) continue
      const startedAt = performance.now()
      try {
        const rows = await measures[name](world)
        for (const row of rows) console.log(formatLine(row))
        keep(rows)
      } catch (error) {
        // What the other parts have measured is kept.
        console.error(`The part ${name} has failed on ${world.engine}:`, error)
        process.exitCode = 1
      }
      console.log(`The part ${name} took ${Math.round((performance.now() - startedAt) / 1000)} s.`)
    }
  } finally {
    await world.close()
  }
}

/** Compares the services, and writes their section with --again; otherwise it is printed. */
async function runPeers(settings: Settings, directory: string): Promise<void> {
  const commit = describeCommit()
  const postgres = await startPrivatePostgres()
  try {
    const machine = await describeMachine(postgres.url)
    const place = { directory, compileCache: join(directory, 'compile-cache'), members: 1000 }
    const figures = await comparePeers(place, postgres.url, settings)
    const date = new Date().toISOString().slice(0, 10)
    const command = ['npm run bench --', ...process.argv.slice(2)].join(' ')
    const section = peersSection(figures, { date, commit, command, machine })
    if (settings.isAgain) writeFileSync(resultsFile, withPeers(readFileSync(resultsFile, 'utf8'), section))
    else console.log(section)
  } finally {
    await postgres.stop()
  }
}

async function run(settings: Settings, directory: string): Promise<void> {
  const startedAt = performance.now()
  const commit = describeCommit()
  const postgres = settings.engines.includes('postgresql') ? await startPrivatePostgres() : undefined
  try {
    const machine = await describeMachine(postgres?.url)
    console.log(machine)
    const date = new Date().toISOString().slice(0, 10)
    const isFull = isFullRun(settings)
    const command = isFull ? 'npm run bench' : ['npm run bench --', ...process.argv.slice(2)].join(' ')
    const description = { date, commit, command, machine }
    const before = readFileSync(resultsFile, 'utf8')
    const rows: ResultRow[] = []
    const isWritten = isFull || settings.isAgain
    // Written after each part, so that a run that is stopped has replaced the rows that it has measured.
    const keep = (measured: readonly ResultRow[]) => {
      rows.push(...measured)
      if (isWritten) writeFileSync(resultsFile, withAgain(before, rows, description))
    }
    for (const engine of settings.engines) {
      const postgresUrl = engine === 'postgresql' ? postgres?.url : undefined
      const compileCache = join(directory, 'compile-cache')
      await measureEngine(new World({ engine, directory, postgresUrl, compileCache, settings }), keep)
    }
    // Rows that are no longer measured go with the full run that is the first without them.
    if (isFull) writeFileSync(resultsFile, markdown(rows, description) + sectionsOfOthers(before))
    const outcome = isWritten
      ? 'bench/RESULTS.md has it'
      : 'only a full run, or one with --again, writes bench/RESULTS.md'
    console.log(`Done after ${Math.round((performance.now() - startedAt) / 1000)} s; ${outcome}.`)
  } finally {
    await postgres?.stop()
  }
}

const settings = settingsOrExit(process.argv.slice(2))
const directory = mkdtempSync(join(tmpdir(), 'bailiwick-bench-'))
const removal = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const
process.on('exit', () => rmSync(directory, removal))
// The handlers of 'exit' end the servers; without this, a signal would leave them running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
await (settings.isOfPeers ? runPeers : run)(settings, directory)
