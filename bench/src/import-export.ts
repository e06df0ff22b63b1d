// Exports and imports users at several sizes, on both engines. A run at the full sizes writes its section of RESULTS.md.
// Run it with `node bench/src/import-export.ts [--users=50000,250000] [--engine=sqlite]`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPrivatePostgres } from '../../scripts/private-postgres.ts'
import { type EngineName, createStore } from './data/store.ts'
import { describeCommit, describeMachine } from './machine.ts'
import { type TransferRun, transferSection, withoutTransfers } from './transfer-report.ts'
import { transferUsers } from './transfer.ts'

const resultsFile = new URL('../RESULTS.md', import.meta.url)
const sizesDefault = '50000,250000'
const heldHeap = '--max-semi-space-size=8 --max-old-space-size=64'

async function measure(engine: EngineName, sizes: readonly number[], directory: string, url: string | undefined) {
  const runs: TransferRun[] = []
  for (const isHeld of [false, true]) {
    for (const users of sizes) {
      const store = await createStore(directory, `transfer_${users}${isHeld ? '_held' : ''}`, url)
      const options = {
        compileCache: join(directory, 'compile-cache'),
        ...(isHeld ? { nodeOptions: heldHeap } : {}),
      }
      const steps = await transferUsers(store, users, options)
      for (const step of steps) console.log(engine, users, isHeld ? 'held' : '', step)
      runs.push({ engine, users, isHeld, steps })
      rmSync(store.dataDir, { recursive: true })
    }
  }
  return runs
}

const { values } = parseArgs({ options: { users: { type: 'string' }, engine: { type: 'string' } } })
const usersText = values.users ?? sizesDefault
const sizes = usersText.split(',').map(Number)
if (!sizes.every((users) => Number.isSafeInteger(users) && users > 0))
  throw new RangeError('--users takes whole numbers')
const engines = (['sqlite', 'postgresql'] as const).filter(
  (name) => values.engine === undefined || values.engine === name,
)
const directory = mkdtempSync(join(tmpdir(), 'bailiwick-import-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const [loadBefore = 0] = loadavg()
const commit = describeCommit()
const postgres = engines.includes('postgresql') ? await startPrivatePostgres() : undefined
try {
  const machine = await describeMachine(postgres?.url)
  const runs: TransferRun[] = []
  for (const engine of engines) {
    runs.push(...(await measure(engine, sizes, directory, engine === 'postgresql' ? postgres?.url : undefined)))
  }
  const section = transferSection(runs, {
    date: new Date().toISOString().slice(0, 10),
    commit,
    command: `node bench/src/import-export.ts --users=${usersText}`,
    machine,
    load: [loadBefore, loadavg()[0] ?? 0],
    heldHeap,
  })
  if (engines.length === 2) {
    writeFileSync(resultsFile, withoutTransfers(readFileSync(resultsFile, 'utf8')).rest + section)
    console.log('Wrote its section of bench/RESULTS.md.')
  } else console.log(section)
} finally {
  await postgres?.stop()
}
