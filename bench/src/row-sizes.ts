// `npm run row-sizes`: how many bytes a user, a session and an event take, with their indexes, on both engines. docs/scaling.md has the result.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPrivatePostgres } from '../../scripts/private-postgres.ts'
import { type BulkEngine, openBulkEngine } from './data/bulk-engine.ts'
import { insertSessions } from './data/bulk-sessions.ts'
import { type Dataset, createDataset } from './data/dataset.ts'
import type { EngineName } from './data/store.ts'

const { values } = parseArgs({ options: { users: { type: 'string', default: '100000' } } })
const users = Number(values.users)
if (!Number.isSafeInteger(users) || users < 1000) throw new RangeError('--users takes an integer of 1000 or more')

/** What makes up one of each: the tables that grow with it. */
const parts = {
  user: ['users', 'email_addresses', 'user_terms'],
  session: ['sessions'],
  event: ['events'],
  member: ['tenant_members'],
} as const

const bytesOfTable: Readonly<Record<EngineName, (table: string) => string>> = {
  sqlite: (table) =>
    `SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = '${table}')`,
  postgresql: (table) => `SELECT coalesce(pg_total_relation_size(to_regclass('${table}')), 0)`,
}

async function measure(engine: BulkEngine, name: EngineName): Promise<Record<string, number>> {
  const counts = { user: users, session: users, event: users, member: users }
  const sizes: Record<string, number> = {}
  for (const [part, tables] of Object.entries(parts)) {
    let bytes = 0
    for (const table of tables) bytes += Number(await engine.value(bytesOfTable[name](table)))
    sizes[`bytes a ${part}`] = Math.round(bytes / counts[part as keyof typeof counts])
  }
  return sizes
}

async function measureEngine(engineName: EngineName, directory: string, url: string | undefined) {
  const cache = join(directory, 'compile-cache')
  const data: Dataset = await createDataset(directory, 'sizes', { tenants: 1, members: users }, url, cache)
  const engine = await openBulkEngine(data.store)
  await insertSessions(engine, engineName, data.console.id, { users, sessions: users })
  await engine.finish()
  const filled = await openBulkEngine(data.store)
  console.log(`${engineName}, ${users} of each:`, await measure(filled, engineName))
  await filled.finish()
}

const directory = mkdtempSync(join(tmpdir(), 'bailiwick-sizes-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
await measureEngine('sqlite', directory, undefined)
const postgres = await startPrivatePostgres()
try {
  await measureEngine('postgresql', directory, postgres.url)
} finally {
  await postgres.stop()
}
